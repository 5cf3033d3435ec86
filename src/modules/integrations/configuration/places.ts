import type { Actor, Tx } from '../../../platform/db/database.ts';
import type { Fault } from '../../../platform/errors.ts';
import { sees } from '../../../platform/permission.ts';
import type { IntegrationWish } from './integration-schema.ts';
import { holdEnvironments, holdProjects } from './queries.ts';

/** Stands for all of them. */
const everywhere = '*';

type Names = readonly string[] | undefined;

/** What a wish says of projects, or of environments, as it is stored: none are named for all. */
export const filterOf = (names: Names): string[] =>
  names === undefined || names.includes(everywhere) ? [] : [...new Set(names)];

/** What there is of all that a wish names; it stays until the transaction ends. */
export interface Places {
  readonly projects: ReadonlySet<string>;
  readonly environments: ReadonlySet<string>;
}

export async function holdPlaces(tx: Tx, wish: IntegrationWish): Promise<Places> {
  const [projects, environments] = [filterOf(wish.projects), filterOf(wish.environments)];
  return {
    projects: projects.length > 0 ? await holdProjects(tx, projects) : new Set(),
    environments: environments.length > 0 ? await holdEnvironments(tx, environments) : new Set(),
  };
}

const unknown = (
  names: Names,
  { field, what, isFine }: { field: string; what: string; isFine: (name: string) => boolean },
): Fault[] =>
  (names?.includes(everywhere) ? [] : (names ?? [])).flatMap((name, index) => {
    if (isFine(name)) return [];
    const path = `/body/${field}/${index}`;
    return [{ path, message: `${path}: there is no ${what} '${name}'` }];
  });

/**
 * What is not there, or may not be known. What is stored may stay: it may have gone since. A project that has the
 * id of one that has gone is another one.
 */
export const placeFaults = (
  actor: Actor,
  wish: IntegrationWish,
  there: Places,
  stored: { readonly projects: readonly string[]; readonly environments: readonly string[] },
): Fault[] => [
  ...unknown(wish.projects, {
    field: 'projects',
    what: 'project',
    isFine: (id) => stored.projects.includes(id) || (there.projects.has(id) && sees(actor, id)),
  }),
  ...unknown(wish.environments, {
    field: 'environments',
    what: 'environment',
    isFine: (name) => stored.environments.includes(name) || there.environments.has(name),
  }),
];
