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

/** Whom a credential stands for, and until when. */
export interface VerifiedCredential {
  readonly identity: Identity;
  readonly expiresAt: Date | null;
  readonly seen: readonly Omit<LastUse, 'at'>[];
}

/** How the secrets of personal access tokens begin. */
export const personalPrefix = 'user:';

const believedToken = (token: StoredToken): VerifiedCredential | undefined =>
  token.revokedAt
    ? undefined
    : {
        identity: tokenIdentity(token),
        expiresAt: token.expiresAt,
        seen: [{ kind: 'api token', id: token.id }],
      };

async function findApiToken(db: Db, hash: Buffer): Promise<VerifiedCredential | undefined> {
  const token = await findTokenByHash(db, hash);
  return token && believedToken(token);
}

/** Those of these API tokens that nobody has revoked, by their ids. */
export async function findByIds(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, VerifiedCredential>> {
  const found = new Map<number, VerifiedCredential>();
  for (const token of await listTokensByIds(db, ids)) {
    const believed = believedToken(token);
    if (believed) found.set(token.id, believed);
  }
  return found;
}

/** All API tokens that nobody has revoked, by the hashes of their secrets; of too many the newest. */
export async function listByHash(
  db: Db,
  most: number,
): Promise<[Buffer, VerifiedCredential | undefined][]> {
  return (await listUnrevokedTokens(db, most)).map(({ hash, ...token }) => [
    hash,
    believedToken(token),
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

/** Whom a token in a header stands for. */
export const findByToken = (
  db: Db,
  secret: string,
  hash: Buffer,
): Promise<VerifiedCredential | undefined> =>
  secret.startsWith(personalPrefix) ? findPersonalToken(db, hash) : findApiToken(db, hash);
