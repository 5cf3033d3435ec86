import type { Generated } from 'kysely';

/** The last scan of each repository. */
interface CodeScansTable {
  project: string;
  repository: string;
  commit: string | null;
  scanned_at: Date;
}

/** Also of names that no feature of the project has. */
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
