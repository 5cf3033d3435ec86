import type { Generated } from 'kysely';

/** The last scan of each repository. */
interface CodeScansTable {
  project: string;
  repository: string;
  commit: string | null;
  scanned_at: Date;
}

/** Includes names that are not features of the project. */
interface CodeReferencesTable {
  id: Generated<number>;
  project: string;
  repository: string;
  feature_name: string;
  path: string;
  line: number;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    code_scans: CodeScansTable;
    code_references: CodeReferencesTable;
  }
}
