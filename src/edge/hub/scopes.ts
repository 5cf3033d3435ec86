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

export const isSameProjects = (a: Scope['projects'], b: Scope['projects']): boolean =>
  a === 'all' || b === 'all'
    ? a === b
    : a.length === b.length && a.every((project, at) => project === b[at]);

export const isSameScope = (a: Scope, b: Scope): boolean =>
  a.environment === b.environment && isSameProjects(a.projects, b.projects);

/** What some scopes contain together, to ask about many others. */
export function coverageOf(scopes: Iterable<Scope>) {
  const found = new Map<string, 'all' | Set<string>>();

  function add({ environment, projects }: Scope): void {
    const covered = found.get(environment) ?? new Set();
    if (covered === 'all') return;
    found.set(environment, projects === 'all' ? projects : covered);
    if (projects !== 'all') for (const project of projects) covered.add(project);
  }
  for (const scope of scopes) add(scope);

  return {
    add,
    contains({ environment, projects }: Scope): boolean {
      const covered = found.get(environment);
      if (covered === 'all') return true;
      return projects !== 'all' && projects.every((project) => covered?.has(project));
    },
  };
}

/** Whether some scopes together contain another one. */
export const cover = (scopes: Iterable<Scope>, scope: Scope): boolean =>
  coverageOf(scopes).contains(scope);

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
  const covered = coverageOf([]);
  // Stable: of equal scopes, the first one stays chosen.
  for (const scoped of [...all].sort(
    (a, b) => Number(sizeOf(b) > sizeOf(a)) - Number(sizeOf(a) > sizeOf(b)),
  )) {
    if (covered.contains(scoped)) continue;
    chosen.push(scoped);
    covered.add(scoped);
  }
  return chosen;
}
