import type { Actor } from '../../../platform/actor.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Fault } from '../../../platform/errors.ts';
import { sees } from '../../../platform/permission.ts';
import type { IntegrationInput } from './integration-schema.ts';
import { lockEnvironments, lockProjects } from './queries.ts';

/** Matches all projects or environments. */
const wildcard = '*';

type Names = readonly string[] | undefined;

/** A filter of projects or environments as it is stored: an empty list means all. */
export const toFilter = (names: Names): string[] =>
  names === undefined || names.includes(wildcard) ? [] : [...new Set(names)];

/** The existing projects and environments of a filter, locked until the transaction ends. */
export interface FilterTargets {
  readonly projects: ReadonlySet<string>;
  readonly environments: ReadonlySet<string>;
}

export async function lockFilterTargets(tx: Tx, input: IntegrationInput): Promise<FilterTargets> {
  const [projects, environments] = [toFilter(input.projects), toFilter(input.environments)];
  return {
    projects: projects.length > 0 ? await lockProjects(tx, projects) : new Set(),
    environments: environments.length > 0 ? await lockEnvironments(tx, environments) : new Set(),
  };
}

const unknownNames = (
  names: Names,
  { field, what, isFine }: { field: string; what: string; isFine: (name: string) => boolean },
): Fault[] =>
  (names?.includes(wildcard) ? [] : (names ?? [])).flatMap((name, index) => {
    if (isFine(name)) return [];
    const path = `/body/${field}/${index}`;
    return [{ path, message: `${path}: ${what} '${name}' not found` }];
  });

/**
 * Faults of projects and environments that do not exist or are hidden from the actor. Stored names may stay, even if
 * they were deleted since. A new project with the id of a deleted one is another project.
 */
export const filterFaults = (
  actor: Actor,
  input: IntegrationInput,
  existing: FilterTargets,
  stored: { readonly projects: readonly string[]; readonly environments: readonly string[] },
): Fault[] => [
  ...unknownNames(input.projects, {
    field: 'projects',
    what: 'project',
    isFine: (id) => stored.projects.includes(id) || (existing.projects.has(id) && sees(actor, id)),
  }),
  ...unknownNames(input.environments, {
    field: 'environments',
    what: 'environment',
    isFine: (name) => stored.environments.includes(name) || existing.environments.has(name),
  }),
];
