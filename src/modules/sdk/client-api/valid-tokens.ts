import type { Static } from 'typebox';
import type { Db } from '../../../platform/db/database.ts';
import { hashSecret } from '../../../platform/secret.ts';
import { listValidByHash } from './queries.ts';
import type { ValidTokensSchema } from './schema.ts';

/** Returns the valid ones of these secrets, without duplicates, in the order in which they were sent. */
export async function validTokens(
  db: Db,
  secrets: readonly string[],
  now: Date,
): Promise<Static<typeof ValidTokensSchema>> {
  const bySecret = new Map([...new Set(secrets)].map((secret) => [secret, hashSecret(secret)]));
  const found = new Map(
    (await listValidByHash(db, [...bySecret.values()], now)).map(({ hash, ...token }) => [
      hash.toString('hex'),
      token,
    ]),
  );
  return {
    tokens: [...bySecret].flatMap(([secret, hash]) => {
      const token = found.get(hash.toString('hex'));
      return token ? [{ token: secret, type: token.type, projects: token.projects }] : [];
    }),
  };
}
