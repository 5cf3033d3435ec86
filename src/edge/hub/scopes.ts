/** What a token or a source gives access to, in one environment. */
export interface Scope {
  readonly environment: string;
  readonly projects: 'all' | readonly string[];
}

/** `*` means all. */
export const projectsOf = (projects: readonly string[]): Scope['projects'] =>
  projects.includes('*') ? 'all' : [...new Set(projects)].sort();

/** The number of projects. */
export const sizeOf = ({ projects }: Scope): number =>
  projects === 'all' ? Number.POSITIVE_INFINITY : projects.length;

/** Whether some scopes together contain another one. */
export function cover(scopes: Iterable<Scope>, { environment, projects }: Scope): boolean {
  const found = new Set<string>();
  for (const scope of scopes) {
    if (scope.environment !== environment) continue;
    if (scope.projects === 'all') return true;
    for (const project of scope.projects) found.add(project);
  }
  return projects !== 'all' && projects.every((project) => found.has(project));
}

/** Whether both contain a project. */
export const overlap = (a: Scope, b: Scope): boolean =>
  a.environment === b.environment &&
  (a.projects === 'all' ||
    b.projects === 'all' ||
    a.projects.some((project) => b.projects.includes(project)));

/**
 * Chooses the scopes to follow: as few as possible that contain all others. One token for all projects replaces the
 * tokens for single ones.
 */
export function chooseCovering<Scoped extends Scope>(all: readonly Scoped[]): Scoped[] {
  const chosen: Scoped[] = [];
  // Stable: of equal scopes, the first one stays chosen.
  for (const scoped of [...all].sort(
    (a, b) => Number(sizeOf(b) > sizeOf(a)) - Number(sizeOf(a) > sizeOf(b)),
  )) {
    if (!cover(chosen, scoped)) chosen.push(scoped);
  }
  return chosen;
}
