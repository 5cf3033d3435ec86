import type { Actor, Db } from '../../../platform/db/database.ts';
import { findAccount } from './account-queries.ts';
import { accountIdentity, systemActor, tokenIdentity } from './actors.ts';
import { findTokenById } from './gate-queries.ts';

/** Who did something, in a form that can be stored beside what was done. */
export type AccountReference =
  | { readonly kind: 'account' | 'token'; readonly id: number }
  | { readonly kind: 'system' };

/** Ids of tokens are negative in actors, and the system's is the negative of a token's: the kind tells them apart. */
export const referenceTo = ({ kind, id }: Pick<Actor, 'kind' | 'id'>): AccountReference => {
  if (kind === 'system') return { kind };
  return kind === 'token' ? { kind, id: -id } : { kind: 'account', id };
};

/**
 * What an account sees at this moment, whatever it saw when it acted. Undefined: it was deleted, or its token
 * was revoked or has expired.
 */
export async function findSight(
  db: Db,
  reference: AccountReference,
  now: Date,
): Promise<Actor['sees'] | undefined> {
  if (reference.kind === 'system') return systemActor.sees;
  if (reference.kind === 'account') {
    const account = await findAccount(db, reference.id);
    return account && accountIdentity(account).sees;
  }
  const token = await findTokenById(db, reference.id);
  const isOver =
    !token || token.revokedAt !== null || (token.expiresAt !== null && token.expiresAt <= now);
  return isOver ? undefined : tokenIdentity(token).sees;
}
