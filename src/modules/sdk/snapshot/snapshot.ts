import type { ConstraintDefinition, FeatureDefinition } from '../evaluation/index.ts';

/** A feature as it is in one environment, with all that a decision over it depends on. */
export interface DefinedFeature {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly stale: boolean;
  /** `type:value`, in order. */
  readonly tags: readonly string[];
  /** With its disabled strategies, and with ids and titles: for whoever explains. */
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
  /** By name, in the order of their names. */
  readonly features: ReadonlyMap<string, DefinedFeature>;
}

/** All that SDKs evaluate with, as it was behind one event. A value: what comes later is another one. */
export interface Snapshot {
  /** The last event that is in it. */
  readonly revision: number;
  /** In their order. */
  readonly environments: ReadonlyMap<string, DefinedEnvironment>;
  readonly segments: ReadonlyMap<number, DefinedSegment>;
}

/** What became another between two snapshots. Without `before` it is new, without `after` it is gone. */
export type Change = { readonly revision: number } & (
  | {
      readonly kind: 'feature';
      readonly environment: string;
      readonly before?: DefinedFeature | undefined;
      readonly after?: DefinedFeature | undefined;
    }
  | {
      readonly kind: 'segment';
      readonly before?: DefinedSegment | undefined;
      readonly after?: DefinedSegment | undefined;
    }
);
