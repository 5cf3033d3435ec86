import type { Evaluation } from '../evaluation/index.ts';
import type { FlatContext } from '../playground/index.ts';

/** The decisions for one context in both states. */
export interface Pair {
  readonly before: Evaluation;
  readonly after: Evaluation;
}

const hasOtherPayload = ({ before, after }: Pair): boolean =>
  before.variant.name === after.variant.name &&
  JSON.stringify(before.variant.payload) !== JSON.stringify(after.variant.payload);

/** A context with one of the values of its sticky fields. */
export interface Draw {
  readonly context: FlatContext;
  readonly draw: number;
  readonly draws: number;
}

/** Contexts with the same decision before and the same other decision after. */
export interface Group extends Pair {
  readonly payloadChanged: boolean;
  /** The share of the draws, by the number of the context. */
  readonly shares: Map<number, number>;
  readonly example: Draw;
}

const keyOf = ({ before, after }: Pair, payloadChanged: boolean): string =>
  JSON.stringify([
    [before.enabled, before.variant.enabled, before.variant.name],
    [after.enabled, after.variant.enabled, after.variant.name],
    payloadChanged,
  ]);

const isSame = ({ before, after }: Pair): boolean =>
  before.enabled === after.enabled && before.variant.name === after.variant.name;

/** Collects the decisions that differ. The first context of a group is its example. */
export function createGroups() {
  const groups = new Map<string, Group>();
  const changed = new Set<number>();
  return {
    add(context: number, pair: Pair, drawn: Draw): void {
      const payloadChanged = hasOtherPayload(pair);
      if (isSame(pair) && !payloadChanged) return;
      const key = keyOf(pair, payloadChanged);
      const group = groups.get(key) ?? {
        ...pair,
        payloadChanged,
        shares: new Map(),
        example: drawn,
      };
      groups.set(key, group);
      group.shares.set(context, (group.shares.get(context) ?? 0) + 1 / drawn.draws);
      changed.add(context);
    },
    /** Those with the most contexts first. */
    list: (): Group[] => [...groups.values()].sort((a, b) => b.shares.size - a.shares.size),
    /** How many contexts are decided differently. */
    countChanged: (): number => changed.size,
  };
}
