import type { ConstraintDefinition, FeatureDefinition } from '../evaluation/index.ts';

/** A feature in one environment, with everything its evaluation depends on. */
export interface DefinedFeature {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly stale: boolean;
  /** `type:value`, sorted. Undefined if the source does not tell: an upstream sends no tags. */
  readonly tags: readonly string[] | undefined;
  /** With disabled strategies, ids and titles, which explanations need. */
  readonly definition: FeatureDefinition;
}

export interface DefinedSegment {
  readonly id: number;
  readonly name: string;
  readonly constraints: readonly ConstraintDefinition[];
}

export interface DefinedEnvironment {
  readonly name: string;
  readonly type: string;
  /**
   * By key, sorted by name. The key is the name. On an edge it also has the project, because answers of its upstream for
   * two projects may both contain a feature that was moved between them.
   */
  readonly features: ReadonlyMap<string, DefinedFeature>;
}

/** Everything SDKs evaluate with, as of one event. Immutable: a later state is another value. */
export interface Snapshot {
  /** The last event that it includes. */
  readonly revision: number;
  /** In their sort order. */
  readonly environments: ReadonlyMap<string, DefinedEnvironment>;
  readonly segments: ReadonlyMap<number, DefinedSegment>;
}

/** A difference between two snapshots. Without `before` it was added, without `after` it was removed. */
export type Change = { readonly revision: number } & (
  | {
      readonly kind: 'feature';
      readonly environment: string;
      /** The key of the feature in its environment. */
      readonly key: string;
      readonly before?: DefinedFeature | undefined;
      readonly after?: DefinedFeature | undefined;
    }
  | {
      readonly kind: 'segment';
      readonly before?: DefinedSegment | undefined;
      readonly after?: DefinedSegment | undefined;
    }
);
