import type { StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import type { Dependency, Variant } from '../index.ts';

/** What a clone reads of an original. */
export interface Original {
  readonly name: string;
  readonly project: string;
  readonly strategies: readonly (StrategyShape & { readonly environment: string })[];
  readonly variants: readonly { readonly environment: string; readonly variants: Variant[] }[];
  readonly dependencies: readonly Dependency[];
}

/** What a clone has to know of the place that receives the copy. */
export interface Receiver {
  readonly project: string;
  /** In their order. */
  readonly environments: readonly string[];
  /** Segments of other projects, by id: no strategy of this one may use them. */
  readonly foreignSegments: ReadonlyMap<
    number,
    { readonly name: string; readonly project: string }
  >;
  /** Types of strategies that stick by a group. */
  readonly groupSticking: ReadonlySet<string>;
  /** The names of the copies that are made together, by the names of their originals. */
  readonly copies: ReadonlyMap<string, string>;
}

interface NotCopied {
  readonly what: string;
  readonly why: string;
}

export interface Plan {
  readonly strategies: readonly (StrategyShape & { readonly environment: string })[];
  readonly variants: ReadonlyMap<string, Variant[]>;
  readonly dependencies: readonly Dependency[];
  readonly notCopied: readonly NotCopied[];
  /** The same without names, for readers who may not know the project of the original. */
  readonly notCopiedUnnamed: readonly NotCopied[];
}

/** Decides what a copy gets and what stays behind. Touches nothing. */
export function planClone(
  original: Original,
  receiver: Receiver,
  { name, replaceGroupId }: { readonly name: string; readonly replaceGroupId: boolean },
): Plan {
  const received = new Set(receiver.environments);
  const isReceived = ({ environment }: { environment: string }) => received.has(environment);
  const variants = original.variants.filter((each) => each.variants.length > 0);
  const strategies = original.strategies.filter(isReceived).map((strategy) => ({
    ...(replaceGroupId ? regrouped(strategy, name, receiver.groupSticking) : strategy),
    segments: strategy.segments.filter((id) => !receiver.foreignSegments.has(id)),
  }));
  const { dependencies, lost } = dependenciesOf(original, receiver);
  const environments = lostEnvironments([...original.strategies, ...variants], receiver);
  const segments = lostSegments(original.strategies.filter(isReceived), receiver);
  return {
    strategies,
    variants: new Map(
      variants.filter(isReceived).map((each) => [each.environment, each.variants] as const),
    ),
    dependencies,
    notCopied: [...environments, ...segments, ...lost],
    notCopiedUnnamed: [
      ...environments,
      ...segments.map(() => unnamed('segment')),
      ...lost.map(() => unnamed('dependency')),
    ],
  };
}

const unnamed = (what: string): NotCopied => ({
  what: `a ${what}`,
  why: 'It belongs to the project of the original',
});

function regrouped<S extends StrategyShape>(
  strategy: S,
  groupId: string,
  groupSticking: ReadonlySet<string>,
): S {
  const sticks = 'groupId' in strategy.parameters || groupSticking.has(strategy.name);
  return sticks ? { ...strategy, parameters: { ...strategy.parameters, groupId } } : strategy;
}

function lostEnvironments(
  holdings: readonly { readonly environment: string }[],
  { project, environments }: Receiver,
): NotCopied[] {
  const lost = new Set(holdings.map(({ environment }) => environment));
  for (const environment of environments) lost.delete(environment);
  return [...lost].sort().map((environment) => ({
    what: `environment '${environment}'`,
    why: `The project '${project}' does not have it`,
  }));
}

function lostSegments(
  strategies: readonly (StrategyShape & { readonly environment: string })[],
  { foreignSegments }: Receiver,
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

/** Dependencies stay within a project: on the same parents, or on copies of them made together. */
function dependenciesOf(original: Original, { project, copies }: Receiver) {
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
