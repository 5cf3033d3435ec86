import type { Db } from '../../../platform/db/database.ts';
import { findAccount } from './account-queries.ts';
import { accountIdentity, type Identity, tokenIdentity } from './actors.ts';
import {
  findPersonalTokenByHash,
  findTokenByHash,
  listTokensByIds,
  listUnrevokedTokens,
  type StoredToken,
} from './gate-queries.ts';
import type { LastUse } from './last-seen.ts';

/** The identity of a credential, and when it expires. */
export interface VerifiedCredential {
  readonly identity: Identity;
  readonly expiresAt: Date | null;
  readonly seen: readonly Omit<LastUse, 'at'>[];
}

/** The prefix of personal access tokens. */
export const personalPrefix = 'user:';

const toVerifiedCredential = (token: StoredToken): VerifiedCredential | undefined =>
  token.revokedAt
    ? undefined
    : {
        identity: tokenIdentity(token),
        expiresAt: token.expiresAt,
        seen: [{ kind: 'api token', id: token.id }],
      };

async function findApiToken(db: Db, hash: Buffer): Promise<VerifiedCredential | undefined> {
  const token = await findTokenByHash(db, hash);
  return token && toVerifiedCredential(token);
}

/** Those of the API tokens that are not revoked, by id. */
export async function findByIds(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, VerifiedCredential>> {
  const found = new Map<number, VerifiedCredential>();
  for (const token of await listTokensByIds(db, ids)) {
    const credential = toVerifiedCredential(token);
    if (credential) found.set(token.id, credential);
  }
  return found;
}

/** The API tokens that are not revoked, by the hashes of their secrets. If there are too many, the newest. */
export async function listByHash(
  db: Db,
  most: number,
): Promise<[Buffer, VerifiedCredential | undefined][]> {
  return (await listUnrevokedTokens(db, most)).map(({ hash, ...token }) => [
    hash,
    toVerifiedCredential(token),
  ]);
}

async function findPersonalToken(db: Db, hash: Buffer): Promise<VerifiedCredential | undefined> {
  const token = await findPersonalTokenByHash(db, hash);
  if (!token) return undefined;
  const account = await findAccount(db, token.userId);
  return (
    account && {
      identity: {
        ...accountIdentity(account),
        ...(token.expiresAt && { tokenEndsAt: token.expiresAt }),
      },
      expiresAt: token.expiresAt,
      seen: [
        { kind: 'personal token', id: token.id },
        { kind: 'account', id: account.id },
      ],
    }
  );
}

/** Finds the identity of a token in a header. */
export const findByToken = (
  db: Db,
  secret: string,
  hash: Buffer,
): Promise<VerifiedCredential | undefined> =>
  secret.startsWith(personalPrefix) ? findPersonalToken(db, hash) : findApiToken(db, hash);
