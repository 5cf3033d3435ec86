import type { Installation, StrategyDocument } from './document.ts';

/** Segments that were imported under another name than they have in the source now: the old names by the new ones. */
export function listRenamedSegments(
  theirs: Installation,
  own: Installation,
  /** Our ids by theirs. */
  ids: ReadonlyMap<number, number>,
): Map<string, string> {
  const ownNames = new Map(own.segments.map(({ id, name }) => [id, name]));
  const taken = new Set(ownNames.values());
  return new Map(
    theirs.segments.flatMap(({ id, name }) => {
      const before = id === undefined ? undefined : ownNames.get(ids.get(id));
      return before === undefined || taken.has(name) ? [] : [[name, before]];
    }),
  );
}

/** The same installation with new names of segments, also where strategies name them. */
export function withSegmentNames(
  own: Installation,
  renamed: ReadonlyMap<string, string>,
): Installation {
  if (renamed.size === 0) return own;
  const newNames = new Map([...renamed].map(([after, before]) => [before, after]));
  const nameOf = (name: string) => newNames.get(name) ?? name;
  const strategyOf = <Strategy extends StrategyDocument>(strategy: Strategy): Strategy => ({
    ...strategy,
    segments: strategy.segments.map(nameOf).sort(),
  });
  return {
    ...own,
    segments: own.segments.map((segment) => ({ ...segment, name: nameOf(segment.name) })),
    features: own.features.map((feature) => ({
      ...feature,
      environments: feature.environments.map((environment) => ({
        ...environment,
        strategies: environment.strategies.map(strategyOf),
      })),
    })),
    projects: own.projects.map((project) => ({
      ...project,
      environments: project.environments.map((environment) => ({
        ...environment,
        defaultStrategy: environment.defaultStrategy && strategyOf(environment.defaultStrategy),
      })),
    })),
  };
}
