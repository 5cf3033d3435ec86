import type { Tag } from '../../../catalogue/tags/index.ts';
import type { Dependency, Variant } from '../../features/index.ts';
import type { ImportDocument } from '../contract/document.ts';
import type { Finding } from '../contract/endpoints.ts';
import type { StrategyChange } from './strategies.ts';

/** What an import does with one feature: only what changes anything. */
export interface FeaturePlan extends StrategyChange {
  readonly name: string;
  /** What it is created with, where it does not exist. */
  readonly creation?: {
    readonly type: string;
    readonly description: string | null;
    readonly stale: boolean;
    readonly impressionData: boolean;
    readonly createdAt?: string;
  };
  readonly change?: {
    readonly type?: string;
    readonly description?: string | null;
    readonly stale?: boolean;
    readonly impressionData?: boolean;
  };
  readonly tags: readonly Tag[];
  readonly variants?: Variant[];
  readonly enabled?: boolean;
  readonly dependencies: readonly Dependency[];
}

export interface Plan {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly contextFields: NonNullable<ImportDocument['contextFields']>;
  readonly tagTypes: NonNullable<ImportDocument['tagTypes']>;
  /** In the order of their names. */
  readonly features: readonly FeaturePlan[];
}

/** Whether an existing feature will be another one afterwards. */
export const changesAnything = (feature: FeaturePlan): boolean =>
  feature.change !== undefined ||
  feature.variants !== undefined ||
  feature.enabled !== undefined ||
  feature.tags.length > 0 ||
  feature.removed.length > 0 ||
  feature.added.length > 0 ||
  feature.dependencies.length > 0;
