import type { ColumnType, Generated } from 'kysely';
import type { Constraint } from '../context-fields/index.ts';

/** A segment without a project is global. */
interface SegmentsTable {
  id: Generated<number>;
  name: string;
  /** Null: never set. */
  description: string | null;
  project: string | null;
  constraints: ColumnType<Constraint[], string, string>;
  created_by: string;
  created_by_user_id: number;
  created_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    segments: SegmentsTable;
  }
}
