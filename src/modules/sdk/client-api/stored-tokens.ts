import { accessChannel } from '../../../platform/db/channels.ts';
import type { Services } from '../../../platform/module.ts';
import { hashSecret } from '../../../platform/secret.ts';
import { listValidByHash, listValidTokens } from './queries.ts';
import type { SdkTokens } from './sdk-tokens.ts';

/** The API tokens in the database. Their actors have the negative ids of their rows. */
export function createSdkTokens({
  db,
  listener,
  clock,
}: Pick<Services, 'db' | 'listener' | 'clock'>): SdkTokens {
  return {
    async validate(secrets) {
      const bySecret = new Map([...new Set(secrets)].map((secret) => [secret, hashSecret(secret)]));
      const found = new Map(
        (await listValidByHash(db, [...bySecret.values()], clock())).map(({ hash, ...token }) => [
          hash.toString('hex'),
          token,
        ]),
      );
      return {
        tokens: [...bySecret].flatMap(([secret, hash]) => {
          const token = found.get(hash.toString('hex'));
          return token ? [{ token: secret, ...token }] : [];
        }),
      };
    },
    async listValid(ids) {
      const rows = await listValidTokens(
        db,
        ids.map((id) => -id),
        clock(),
      );
      return rows.map((row) => ({ ...row, id: -row.id }));
    },
    onChange: (callback) => void listener.on(accessChannel, callback),
  };
}
