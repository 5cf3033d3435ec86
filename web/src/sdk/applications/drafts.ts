import type { Response } from '../../api.ts';

type UnknownUse = Response<'GET /api/admin/metrics/unknown-flags'>['unknownFlags'][number];
type Application = Response<'GET /api/admin/metrics/applications'>['applications'][number];
type Project = Response<'GET /api/admin/projects'>['projects'][number];

/** An unknown flag: applications request it, and no feature has the name. */
export interface Draft {
  readonly name: string;
  readonly applications: readonly string[];
  readonly environments: readonly string[];
  readonly seenAt: string;
  /** The projects in which it may belong, the likeliest first. */
  readonly projects: readonly string[];
}

const distinct = (texts: readonly string[]) => [...new Set(texts)].sort();

/** Unknown flags, the last requested first, each with its applications and the projects in which it may belong. */
export function draftsOf(
  asked: readonly UnknownUse[],
  applications: readonly Application[],
  projects: readonly Pick<Project, 'id' | 'favorite'>[],
): Draft[] {
  const reach = new Map(
    applications.map(({ appName, usage }) => [appName, usage.map(({ project }) => project)]),
  );
  const usual = [...projects]
    .sort((a, b) => Number(b.favorite) - Number(a.favorite))
    .map(({ id }) => id);
  const isThere = new Set(usual);
  const uses = new Map<string, UnknownUse[]>();
  for (const use of asked) uses.set(use.name, [...(uses.get(use.name) ?? []), use]);
  return [...uses]
    .map(([name, own]): Draft => {
      const names = distinct(own.map(({ appName }) => appName));
      // The projects of its tokens: those of all applications that request it before those of some.
      const reached = names.flatMap((appName) => reach.get(appName) ?? []);
      const count = (id: string) => reached.filter((project) => project === id).length;
      const likely = distinct(reached)
        .filter((id) => isThere.has(id))
        .sort((a, b) => count(b) - count(a));
      return {
        name,
        applications: names,
        environments: distinct(own.map(({ environment }) => environment)),
        seenAt: own.reduce((last, { seenAt }) => (seenAt > last ? seenAt : last), ''),
        projects: [...new Set([...likely, ...usual])],
      };
    })
    .sort((a, b) => b.seenAt.localeCompare(a.seenAt) || a.name.localeCompare(b.name));
}
