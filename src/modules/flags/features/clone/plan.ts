import type { StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import type { FeatureSpec } from '../assemble/feature-spec.ts';
import type { Dependency } from '../feature-schema.ts';
import type { CompleteFeature, CompleteStrategy } from '../read/queries.ts';

/** The feature that is copied. */
export interface Original extends CompleteFeature {
  /** Whether its project is private. */
  readonly isPrivate: boolean;
}

export interface CloneTarget {
  readonly project: string;
  /** In their order. */
  readonly environments: readonly string[];
  /** Segments of other projects, by id: strategies of the target cannot use them. */
  readonly foreignSegments: ReadonlyMap<
    number,
    { readonly name: string; readonly project: string }
  >;
  /** Strategy types with a group id. */
  readonly typesWithGroupId: ReadonlySet<string>;
  /** The names of all copies that are made together, by the names of their originals. */
  readonly copies: ReadonlyMap<string, string>;
}

interface NotCopied {
  readonly what: string;
  readonly why: string;
}

export interface ClonePlan {
  readonly spec: FeatureSpec;
  readonly notCopied: readonly NotCopied[];
}

/** Plans the parts of a copy and lists what cannot be copied. Pure. */
export function planClone(
  original: Original,
  target: CloneTarget,
  {
    name,
    replaceGroupId,
    path,
  }: { readonly name: string; readonly replaceGroupId: boolean; readonly path: string },
): ClonePlan {
  const used = original.environments
    .filter(({ strategies, variants }) => strategies.length + variants.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const copied = used.filter((environment) => target.environments.includes(environment.name));
  const strategies = copied.flatMap(({ name: environment, strategies: own }) =>
    own.map(shapeOf).map((strategy) => ({
      environment,
      strategy: {
        ...(replaceGroupId ? withGroupId(strategy, name, target) : strategy),
        segments: strategy.segments.filter((id) => !target.foreignSegments.has(id)),
      },
    })),
  );
  const variants = copied
    .filter((environment) => environment.variants.length > 0)
    .map((environment) => ({ environment: environment.name, variants: environment.variants }));
  const { dependencies, lost } = planDependencies(original, target);
  const notCopied = {
    environments: used
      .filter((environment) => !copied.includes(environment))
      .map(({ name: environment }) => ({
        what: `environment '${environment}'`,
        why: `Not available in '${target.project}'`,
      })),
    segments: lostSegments(
      copied.flatMap((environment) => environment.strategies),
      target,
    ),
    dependencies: lost,
  };
  const all = [...notCopied.environments, ...notCopied.segments, ...notCopied.dependencies];
  const isHidden = original.isPrivate && original.project !== target.project;
  return {
    spec: {
      feature: {
        name,
        type: original.type,
        description: original.description,
        impressionData: original.impressionData,
        tags: original.tags,
        links: original.links.map(({ url, title }) => ({ url, title })),
        // Everyone who sees the target project reads the event. It must not reveal anything about a private
        // project but the name of the original.
        origin: isHidden
          ? {
              clonedFrom: { feature: original.name },
              notCopied: [
                ...notCopied.environments,
                ...notCopied.segments.map(() => withoutName('segment')),
                ...notCopied.dependencies.map(() => withoutName('dependency')),
              ],
            }
          : {
              clonedFrom: { project: original.project, feature: original.name },
              notCopied: all,
            },
      },
      eventOrder: [strategies, variants],
      dependencies,
      path,
    },
    notCopied: all,
  };
}

const withoutName = (what: string): NotCopied => ({
  what: `a ${what}`,
  why: "Belongs to the original's project",
});

const shapeOf = ({ id: _, featureName: __, title, ...shape }: CompleteStrategy): StrategyShape => ({
  ...shape,
  ...(title !== null && { title }),
});

function withGroupId<S extends StrategyShape>(
  strategy: S,
  groupId: string,
  { typesWithGroupId }: CloneTarget,
): S {
  const hasGroupId = 'groupId' in strategy.parameters || typesWithGroupId.has(strategy.name);
  return hasGroupId ? { ...strategy, parameters: { ...strategy.parameters, groupId } } : strategy;
}

function lostSegments(
  strategies: readonly Pick<StrategyShape, 'segments'>[],
  { foreignSegments }: CloneTarget,
): NotCopied[] {
  const ids = new Set(strategies.flatMap(({ segments }) => segments));
  return [...ids]
    .sort((a, b) => a - b)
    .flatMap((id) => {
      const segment = foreignSegments.get(id);
      return segment
        ? [
            {
              what: `segment '${segment.name}'`,
              why: `Belongs to '${segment.project}'. Removed from the copied strategies`,
            },
          ]
        : [];
    });
}

/** A feature depends only on features of its own project: on the same parents, or on their copies. */
function planDependencies(original: Original, { project, copies }: CloneTarget) {
  if (original.project === project) return { dependencies: original.dependencies, lost: [] };
  const dependencies: Dependency[] = [];
  const lost: NotCopied[] = [];
  for (const dependency of original.dependencies) {
    const copy = copies.get(dependency.feature);
    if (copy !== undefined) dependencies.push({ ...dependency, feature: copy });
    else {
      lost.push({
        what: `dependency on '${dependency.feature}'`,
        why: `Belongs to '${original.project}'. Features can only depend on features in the same project`,
      });
    }
  }
  return { dependencies, lost };
}
