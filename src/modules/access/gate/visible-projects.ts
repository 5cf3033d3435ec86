import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { findAccount } from './account-queries.ts';
import { accountIdentity, systemActor, tokenIdentity } from './actors.ts';
import { findTokenById } from './gate-queries.ts';

/** An actor in a form that can be stored. */
export type AccountReference =
  | { readonly kind: 'account' | 'token'; readonly id: number }
  | { readonly kind: 'system' };

/** Actors have negative ids for tokens, and the system also has one. The kind distinguishes them. */
export const referenceTo = ({ kind, id }: Pick<Actor, 'kind' | 'id'>): AccountReference => {
  if (kind === 'system') return { kind };
  return kind === 'token' ? { kind, id: -id } : { kind: 'account', id };
};

/** What an account may do now. Undefined if it was deleted, or if its token was revoked or has expired. */
export async function findActor(
  db: Db,
  reference: AccountReference,
  now: Date,
): Promise<Actor | undefined> {
  if (reference.kind === 'system') return systemActor;
  const withoutRequest = { ip: null, requestId: null };
  if (reference.kind === 'account') {
    const account = await findAccount(db, reference.id);
    return account && { ...accountIdentity(account), ...withoutRequest };
  }
  const token = await findTokenById(db, reference.id);
  const isOver =
    !token || token.revokedAt !== null || (token.expiresAt !== null && token.expiresAt <= now);
  return isOver ? undefined : { ...tokenIdentity(token), ...withoutRequest };
}

/** The projects that an account sees now. Undefined if it was deleted, or if its token was revoked or has expired. */
export const findVisibleProjects = async (
  db: Db,
  reference: AccountReference,
  now: Date,
): Promise<Actor['sees'] | undefined> => (await findActor(db, reference, now))?.sees;
