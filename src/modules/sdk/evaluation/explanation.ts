import type { ConstraintDefinition, Evaluation } from './definition.ts';

/** 'unknown' depends on a strategy that only the application can evaluate. It counts as not active. */
export type Result = boolean | 'unknown';

export interface ConstraintExplanation {
  readonly constraint: ConstraintDefinition;
  /** The context's value; omitted if there is none. */
  readonly actual?: string | undefined;
  /** False if the constraint is invalid: then it never holds. */
  readonly sound: boolean;
  readonly result: boolean;
}

export interface SegmentExplanation {
  readonly id: number;
  readonly name?: string | undefined;
  readonly exists: boolean;
  readonly constraints: readonly ConstraintExplanation[];
  readonly result: boolean;
}

/** The condition of a strategy besides its constraints and segments, with its result. */
export type OwnConditionExplanation =
  | { readonly kind: 'everybody'; readonly result: true }
  | {
      readonly kind: 'users';
      readonly result: boolean;
      readonly userIds: readonly string[];
      readonly userId?: string | undefined;
    }
  | {
      readonly kind: 'addresses';
      readonly result: boolean;
      readonly addresses: readonly string[];
      readonly remoteAddress?: string | undefined;
    }
  | {
      readonly kind: 'rollout';
      readonly result: boolean;
      readonly percentage: number;
      readonly group: string;
      readonly stickiness: string;
      /** The context field that decided, and its value. */
      readonly field?: string | undefined;
      readonly value?: string | undefined;
      /** From 1 to 100. The rollout contains the buckets up to its percentage. */
      readonly bucket?: number | undefined;
      readonly byChance: boolean;
    }
  /** 'hosts': only the application knows its host. 'custom': only the application's SDK knows the strategy type. */
  | { readonly kind: 'hosts' | 'custom'; readonly result: 'unknown' };

export interface StrategyExplanation {
  readonly id?: string | undefined;
  readonly name: string;
  readonly title?: string | undefined;
  /** A disabled strategy is skipped; its parts still show their results. */
  readonly disabled: boolean;
  readonly constraints: readonly ConstraintExplanation[];
  readonly segments: readonly SegmentExplanation[];
  readonly condition: OwnConditionExplanation;
  readonly result: Result;
}

export interface ParentExplanation {
  readonly feature: string;
  readonly wanted: { readonly enabled: boolean; readonly variants?: readonly string[] };
  /** The state of the parent; omitted if it does not exist or has parents itself. */
  readonly actual?: { readonly enabled: boolean; readonly variant: string };
  readonly reason: 'missing' | 'has-parents' | 'as-wanted' | 'other-state' | 'other-variant';
  readonly result: Result;
}

export interface ChoiceExplanation {
  readonly variant: string;
  /** The index of the variant in its list. */
  readonly at: number;
  readonly stickiness: string;
  readonly group: string;
  readonly totalWeight: number;
  /** Set if an override selected the variant for this value, whatever its weight. */
  readonly override?: { readonly contextName: string; readonly value: string };
  /** The context field that decided, and its value. */
  readonly field?: string | undefined;
  readonly value?: string | undefined;
  /** The bucket, from 1 to the total weight, and the variant's range of buckets. */
  readonly bucket?: number;
  readonly from?: number;
  readonly to?: number;
  readonly byChance: boolean;
}

interface VariantExplanation extends ChoiceExplanation {
  /** The index of the strategy that defines the variant; omitted for a variant of the feature. */
  readonly strategy?: number;
}

export interface Explanation {
  /** The result of `evaluate`. */
  readonly evaluation: Evaluation;
  /** Equals `evaluation.enabled`, or 'unknown'. */
  readonly result: Result;
  readonly reason:
    | 'missing'
    | 'off'
    | 'parents'
    | 'no-strategies'
    | 'strategy-holds'
    | 'no-strategy-holds';
  readonly parents: readonly ParentExplanation[];
  readonly strategies: readonly StrategyExplanation[];
  /** Omitted if there is no variant. */
  readonly variant?: VariantExplanation;
}
