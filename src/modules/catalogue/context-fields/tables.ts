import type { ColumnType } from 'kysely';
import type { LegalValue } from './contract.ts';

interface ContextFieldsTable {
  name: string;
  /** Null: never set. */
  description: string | null;
  stickiness: boolean;
  sort_order: number;
  legal_values: ColumnType<LegalValue[], string, string>;
  created_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    context_fields: ContextFieldsTable;
  }
}
