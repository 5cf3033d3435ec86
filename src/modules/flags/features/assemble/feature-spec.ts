import type { StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import type { Tag } from '../../../catalogue/tags/index.ts';
import type { Dependency } from '../feature-schema.ts';
import type { LinkContent } from '../links/link-schema.ts';
import type { SetOwner } from '../owner/owner-schema.ts';
import type { Variant } from '../variants/variant-schema.ts';

/** Who created a feature, as the feature shows it. */
export interface Creator {
  readonly id: number;
  readonly name: string;
}

export interface NewFeature {
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
  readonly impressionData: boolean;
  readonly stale?: boolean;
  /** Default: now. */
  readonly createdAt?: string;
  /** Default: the actor. */
  readonly createdBy?: Creator;
  /** Default: the creator, if that is a user. */
  readonly owner?: SetOwner | null;
  readonly expiresAt?: string | null;
  readonly tags?: readonly Tag[];
  readonly links?: readonly LinkContent[];
  /** For a copy. */
  readonly origin?: {
    readonly clonedFrom: { readonly project?: string; readonly feature: string };
    readonly notCopied: readonly { readonly what: string; readonly why: string }[];
  };
}

/** What a feature gets in an environment. Each becomes one event. */
export type FeaturePart = { readonly environment: string } & (
  | {
      readonly strategy: StrategyShape;
      /** That of a strategy that comes back. Default: a new one. */
      readonly id?: string | undefined;
    }
  | { readonly variants: Variant[] }
  | { readonly enabled: true }
);

/** A feature with all that it gets. */
export interface FeatureSpec<Feature = NewFeature> {
  readonly feature: Feature;
  /**
   * The order of the events: the first round of every feature is recorded first, then the second of every
   * feature, and so on. A single request that creates a feature has one round; a clone has one of
   * strategies and one of variants.
   */
  readonly eventOrder: readonly (readonly FeaturePart[])[];
  /** On features of the same project. Recorded last. */
  readonly dependencies?: readonly Dependency[];
  /** The path of the feature in the request. The whole body if omitted. */
  readonly path?: string;
}

export const pathOf = ({ path = '/body' }: Pick<FeatureSpec, 'path'>): string => path;
