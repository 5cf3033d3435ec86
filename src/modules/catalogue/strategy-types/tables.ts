import type { ColumnType } from 'kysely';
import type { StrategyParameter } from './contract.ts';

interface StrategyTypesTable {
  name: string;
  title: string | null;
  /** Null: never set. */
  description: string | null;
  parameters: ColumnType<StrategyParameter[], string, string>;
  built_in: boolean;
  deprecated: boolean;
  sort_order: number;
  created_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    strategy_types: StrategyTypesTable;
  }
}
