import type { Actor, Db } from '../../../platform/db/database.ts';
import { type AccountReference, findVisibleProjects } from '../../access/gate/index.ts';

/** The account that changed the configuration of an integration last. Nobody: the log did not say who it was. */
export type Responsible = AccountReference | { readonly kind: 'nobody' };

/** What an integration may tell of, beside projects that are not private: what its account sees at this moment. */
export interface Sight {
  /** Empty for an account that is gone. */
  readonly sees: Actor['sees'];
  readonly isGone: boolean;
}

const blind: Sight = { sees: new Set(), isGone: true };

export async function sightOf(db: Db, responsible: Responsible, now: Date): Promise<Sight> {
  if (responsible.kind === 'nobody') return blind;
  const sees = await findVisibleProjects(db, responsible, now);
  return sees === undefined ? blind : { sees, isGone: false };
}

const keyOf = (responsible: Responsible): string =>
  'id' in responsible ? `${responsible.kind} ${responsible.id}` : responsible.kind;

/** Looks each account up once, however many integrations it answers for. Made anew for each look: access changes. */
export function createSights(db: Db, now: Date): (responsible: Responsible) => Promise<Sight> {
  const found = new Map<string, Sight>();
  return async (responsible) => {
    const key = keyOf(responsible);
    const sight = found.get(key) ?? (await sightOf(db, responsible, now));
    found.set(key, sight);
    return sight;
  };
}

/** Whether something is seen by the first, among these projects (none: all of them), that the second does not see. */
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
