import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type AccountReference, findVisibleProjects } from '../../access/gate/index.ts';

/** The account that last changed the configuration. `no one`: the log did not say who it was. */
export type Responsible = AccountReference | { readonly kind: 'nobody' };

/** Which private projects an integration may report: those that its account sees at this moment. */
export interface AccountVisibility {
  /** Empty if the account is gone. */
  readonly sees: Actor['sees'];
  readonly isGone: boolean;
}

const seesNothing: AccountVisibility = { sees: new Set(), isGone: true };

export async function findVisibility(
  db: Db,
  responsible: Responsible,
  now: Date,
): Promise<AccountVisibility> {
  if (responsible.kind === 'nobody') return seesNothing;
  const sees = await findVisibleProjects(db, responsible, now);
  return sees === undefined ? seesNothing : { sees, isGone: false };
}

const keyOf = (responsible: Responsible): string =>
  'id' in responsible ? `${responsible.kind} ${responsible.id}` : responsible.kind;

/** Looks up each account once, for all its integrations. Create a new one each time, since access changes. */
export function createVisibilityCache(
  db: Db,
  now: Date,
): (responsible: Responsible) => Promise<AccountVisibility> {
  const found = new Map<string, AccountVisibility>();
  return async (responsible) => {
    const key = keyOf(responsible);
    const sight = found.get(key) ?? (await findVisibility(db, responsible, now));
    found.set(key, sight);
    return sight;
  };
}

/** Whether `first` sees a project that `second` does not see, among `projects` (empty: among all). */
export const seesMore = (
  first: Actor['sees'],
  second: Actor['sees'],
  projects: readonly string[] = [],
): boolean => {
  if (second === 'all') return false;
  if (first === 'all') return true;
  return [...first].some(
    (id) => !second.has(id) && (projects.length === 0 || projects.includes(id)),
  );
};
