import type { ColumnType, Generated } from 'kysely';
import type { Constraint } from '../../catalogue/context-fields/index.ts';
import type { StrategyVariant } from '../../catalogue/strategy-types/index.ts';
import type { Stage } from './lifecycle/contract.ts';
import type { Variant } from './variants/variant-schema.ts';

interface FeatureTypesTable {
  id: string;
  name: string;
  description: string;
  /** The days after which a feature of the type is due. Null: never. */
  lifetime_days: number | null;
  sort_order: number;
}

interface FeaturesTable {
  name: string;
  project: string;
  type: string;
  /** Null: no one has set one. */
  description: string | null;
  impression_data: boolean;
  stale: boolean;
  created_by: string;
  created_by_user_id: number;
  created_at: Date;
  archived_at: Date | null;
  /** Also of a user who has been deleted: read the view feature_owners. */
  owner_user_id: number | null;
  owner_group_id: number | null;
  expires_at: Date | null;
}

/** A view of the features with an owner. */
interface FeatureOwnersView {
  feature_name: string;
  type: 'user' | 'group';
  id: number;
  name: string;
}

/** Only states that someone has set. Without a row the feature is off and has no variants. */
interface FeatureEnvironmentsTable {
  feature_name: string;
  environment: string;
  enabled: Generated<boolean>;
  variants: ColumnType<Variant[], string | undefined, string>;
  last_seen_at: Date | null;
}

interface FeatureStrategiesTable {
  id: string;
  feature_name: string;
  environment: string;
  name: string;
  title: string | null;
  disabled: boolean;
  sort_order: number;
  parameters: ColumnType<Record<string, string>, string, string>;
  constraints: ColumnType<Constraint[], string, string>;
  variants: ColumnType<StrategyVariant[], string, string>;
  created_at: Date;
}

interface FeatureStrategySegmentsTable {
  strategy_id: string;
  segment_id: number;
}

/** The stages that a feature has entered. It is in the furthest of them. */
interface FeatureLifecyclesTable {
  feature_name: string;
  stage: Stage;
  status: string | null;
  status_value: string | null;
  entered_at: Date;
}

interface FeatureDependenciesTable {
  child: string;
  parent: string;
  enabled: boolean;
  variants: string[];
}

interface FeatureFavoritesTable {
  feature_name: string;
  user_id: number;
  created_at: Date;
}

/** Pages about a feature elsewhere, in the order in which they were added. */
interface FeatureLinksTable {
  id: string;
  feature_name: string;
  url: string;
  title: string | null;
  sort_order: number;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    feature_types: FeatureTypesTable;
    features: FeaturesTable;
    feature_environments: FeatureEnvironmentsTable;
    feature_strategies: FeatureStrategiesTable;
    feature_strategy_segments: FeatureStrategySegmentsTable;
    feature_lifecycles: FeatureLifecyclesTable;
    feature_dependencies: FeatureDependenciesTable;
    feature_favorites: FeatureFavoritesTable;
    feature_links: FeatureLinksTable;
    feature_owners: FeatureOwnersView;
  }
}
