import type { StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import type { Tag } from '../../../catalogue/tags/index.ts';
import type { FeatureSpec } from '../assemble/feature-spec.ts';
import type { Dependency } from '../feature-schema.ts';
import type { LinkContent } from '../links/link-schema.ts';
import type { Variant } from '../variants/variant-schema.ts';

/** The feature that is copied. */
export interface Original {
  readonly name: string;
  readonly project: string;
  /** Whether its project is private. */
  readonly isPrivate: boolean;
  readonly type: string;
  readonly description: string | null;
  readonly impressionData: boolean;
  readonly tags: readonly Tag[];
  readonly strategies: readonly (StrategyShape & { readonly environment: string })[];
  readonly variants: readonly { readonly environment: string; readonly variants: Variant[] }[];
  readonly dependencies: readonly Dependency[];
  readonly links: readonly LinkContent[];
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
  const environments = new Set(target.environments);
  const isKept = ({ environment }: { environment: string }) => environments.has(environment);
  const variants = original.variants.filter((each) => each.variants.length > 0);
  const strategies = original.strategies.filter(isKept).map(({ environment, ...strategy }) => ({
    environment,
    strategy: {
      ...(replaceGroupId ? withGroupId(strategy, name, target) : strategy),
      segments: strategy.segments.filter((id) => !target.foreignSegments.has(id)),
    },
  }));
  const { dependencies, lost } = planDependencies(original, target);
  const notCopied = {
    environments: lostEnvironments([...original.strategies, ...variants], target),
    segments: lostSegments(original.strategies.filter(isKept), target),
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
        links: original.links,
        // Everybody who sees the target project reads the event. It must not reveal anything about a private
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
      eventOrder: [
        strategies,
        variants
          .filter(isKept)
          .map(({ environment, variants: own }) => ({ environment, variants: own })),
      ],
      dependencies,
      path,
    },
    notCopied: all,
  };
}

const withoutName = (what: string): NotCopied => ({
  what: `a ${what}`,
  why: 'It belongs to the project of the original',
});

function withGroupId<S extends StrategyShape>(
  strategy: S,
  groupId: string,
  { typesWithGroupId }: CloneTarget,
): S {
  const hasGroupId = 'groupId' in strategy.parameters || typesWithGroupId.has(strategy.name);
  return hasGroupId ? { ...strategy, parameters: { ...strategy.parameters, groupId } } : strategy;
}

function lostEnvironments(
  contents: readonly { readonly environment: string }[],
  { project, environments }: CloneTarget,
): NotCopied[] {
  const lost = new Set(contents.map(({ environment }) => environment));
  for (const environment of environments) lost.delete(environment);
  return [...lost].sort().map((environment) => ({
    what: `environment '${environment}'`,
    why: `The project '${project}' does not have it`,
  }));
}

function lostSegments(
  strategies: readonly StrategyShape[],
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
              why: `It belongs to the project '${segment.project}'; strategies of the copy are without it`,
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
        why: `It belongs to the project '${original.project}', and features depend only on their own project's`,
      });
    }
  }
  return { dependencies, lost };
}
