import type { ColumnType } from 'kysely';
import type { Constraint } from '../../catalogue/context-fields/index.ts';
import type { StrategyVariant } from '../../catalogue/strategy-types/index.ts';

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

declare module '../../../platform/db/database.ts' {
  interface Database {
    feature_strategies: FeatureStrategiesTable;
    feature_strategy_segments: FeatureStrategySegmentsTable;
  }
}
