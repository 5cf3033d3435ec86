import type { Tag } from '../../../../catalogue/tags/index.ts';
import type { Dependency, SetOwner, Variant } from '../../../features/index.ts';
import type { ImportDocument } from '../../document-schema.ts';
import type { Finding } from '../contract.ts';
import type { StrategyChange } from './strategies.ts';

/** What an import changes of one feature. */
export interface FeaturePlan extends StrategyChange {
  readonly name: string;
  /** Only of a new feature. */
  readonly creation?: {
    readonly type: string;
    readonly description: string | null;
    readonly stale: boolean;
    readonly impressionData: boolean;
    readonly createdAt?: string;
    readonly owner?: SetOwner;
    readonly expiresAt?: string;
  };
  readonly change?: {
    readonly type?: string;
    readonly description?: string | null;
    readonly stale?: boolean;
    readonly impressionData?: boolean;
    readonly owner?: SetOwner;
    readonly expiresAt?: string;
  };
  readonly tags: readonly Tag[];
  readonly variants?: Variant[];
  readonly enabled?: boolean;
  readonly dependencies: readonly Dependency[];
}

export interface ImportPlan {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly contextFields: NonNullable<ImportDocument['contextFields']>;
  readonly tagTypes: NonNullable<ImportDocument['tagTypes']>;
  /** By name. */
  readonly features: readonly FeaturePlan[];
}

/** Of a feature that exists. */
export const changesAnything = (feature: FeaturePlan): boolean =>
  feature.change !== undefined ||
  feature.variants !== undefined ||
  feature.enabled !== undefined ||
  feature.tags.length > 0 ||
  feature.removed.length > 0 ||
  feature.added.length > 0 ||
  feature.dependencies.length > 0;
