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

/** How long a verified credential is believed, should a notice of its end get lost. */
const believedMs = 1000;
const maxBelieved = 10_000;

export interface Memory<Value> {
  /** What is known under a key, or is found now: of many who ask at once, one looks it up. */
  readonly recall: (
    key: string,
    now: number,
    find: () => Promise<Value | undefined>,
  ) => Value | Promise<Value | undefined>;
  readonly forget: () => void;
}

interface Entry<Value> {
  readonly found: Promise<Value | undefined>;
  readonly until: number;
  /** There once it was found: who asks then need not wait for a promise. */
  value?: Value;
}

/** What was verified lately, bounded in time and in number. What is not found is not remembered. */
export function createMemory<Value>(): Memory<Value> {
  const known = new Map<string, Entry<Value>>();
  let sweptAt = 0;
  /** What is over goes every second; should that not be enough, all of it. */
  const makeRoom = (now: number) => {
    if (Math.abs(now - sweptAt) >= believedMs) {
      sweptAt = now;
      for (const [key, { until }] of known)
        if (until <= now || until > now + believedMs) known.delete(key);
    }
    if (known.size >= maxBelieved) known.clear();
  };
  return {
    recall: (key, now, find) => {
      const entry = known.get(key);
      // Further ahead than that lies only what was noted before the clock was set back.
      const leftMs = entry ? entry.until - now : 0;
      if (entry && leftMs > 0 && leftMs <= believedMs) return entry.value ?? entry.found;
      makeRoom(now);
      const fresh: Entry<Value> = { found: find(), until: now + believedMs };
      known.set(key, fresh);
      const drop = () => {
        if (known.get(key) === fresh) known.delete(key);
      };
      fresh.found.then((value) => {
        if (value === undefined) drop();
        else fresh.value = value;
      }, drop);
      return fresh.found;
    },
    // A look-up under way is no longer found by those who ask from now on: it may have read what was.
    forget: () => known.clear(),
  };
}
