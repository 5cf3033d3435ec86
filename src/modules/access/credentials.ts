import { timingSafeEqual } from 'node:crypto';
import type { Db } from '../../platform/db/database.ts';
import { findAccount } from './account-queries.ts';
import { accountIdentity, type Identity, tokenIdentity } from './actors.ts';
import { findPersonalTokenByHash, findTokenByHash } from './credential-queries.ts';
import type { Sighting } from './last-seen.ts';

/** Whom a credential stands for, and until when. */
export interface Believed {
  readonly identity: Identity;
  readonly expiresAt: Date | null;
  readonly seen: readonly Omit<Sighting, 'at'>[];
}

/** How the secrets of personal access tokens begin. */
export const personalPrefix = 'user:';

async function findApiToken(db: Db, hash: Buffer): Promise<Believed | undefined> {
  const token = await findTokenByHash(db, hash);
  if (!token || token.revokedAt || !timingSafeEqual(token.secretHash, hash)) return undefined;
  return {
    identity: tokenIdentity(token),
    expiresAt: token.expiresAt,
    seen: [{ kind: 'api token', id: token.id }],
  };
}

async function findPersonalToken(db: Db, hash: Buffer): Promise<Believed | undefined> {
  const token = await findPersonalTokenByHash(db, hash);
  if (!token || !timingSafeEqual(token.secretHash, hash)) return undefined;
  const account = await findAccount(db, token.userId);
  return (
    account && {
      identity: accountIdentity(account),
      expiresAt: token.expiresAt,
      seen: [
        { kind: 'personal token', id: token.id },
        { kind: 'account', id: account.id },
      ],
    }
  );
}

/** Whom a token in a header stands for. */
export const findByToken = (db: Db, secret: string, hash: Buffer): Promise<Believed | undefined> =>
  secret.startsWith(personalPrefix) ? findPersonalToken(db, hash) : findApiToken(db, hash);

/** How long a verified credential is believed, should a notice of its end get lost. */
const believedMs = 1000;
const maxBelieved = 10_000;

export interface Memory<Value> {
  readonly recall: (key: string, now: number) => Value | undefined;
  readonly keep: (key: string, value: Value, now: number) => void;
  readonly forget: () => void;
  /** Changes with every forgetting: what was read before one must not be kept after it. */
  readonly generation: () => number;
}

/** What was verified lately, bounded in time and in number. */
export function createMemory<Value>(): Memory<Value> {
  const known = new Map<string, { value: Value; until: number }>();
  let generation = 0;
  return {
    recall: (key, now) => {
      const found = known.get(key);
      return found && found.until > now ? found.value : undefined;
    },
    keep: (key, value, now) => {
      if (known.size >= maxBelieved) known.clear();
      known.set(key, { value, until: now + believedMs });
    },
    forget: () => {
      generation += 1;
      known.clear();
    },
    generation: () => generation,
  };
}
