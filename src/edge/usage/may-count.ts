import type { DefinedEnvironment, Snapshot } from '../../modules/sdk/snapshot/index.ts';
import type { Scope } from '../hub/scopes.ts';

type Features = DefinedEnvironment['features'];

const known = new WeakMap<Features, ReadonlyMap<string, readonly string[]>>();

/** The projects of each name. Two projects may have a feature of one name. */
function projectsByName(features: Features): ReadonlyMap<string, readonly string[]> {
  const found = known.get(features);
  if (found) return found;
  const projects = new Map<string, string[]>();
  for (const { name, project } of features.values()) {
    const before = projects.get(name);
    if (before) before.push(project);
    else projects.set(name, [project]);
  }
  known.set(features, projects);
  return projects;
}

/**
 * Whether usage of a feature that was reported with the token of a scope may be sent. Tokens of browsers are public, and
 * what they report is sent with the token of a backend, which may have access to more projects. What the edge does not
 * know may be: the server lists names that no feature has.
 */
export function mayCount(
  { environments }: Snapshot,
  { environment, projects }: Scope,
  feature: string,
): boolean {
  if (projects === 'all') return true;
  const features = environments.get(environment)?.features;
  const found = features && projectsByName(features).get(feature);
  return found === undefined || found.some((project) => projects.includes(project));
}
