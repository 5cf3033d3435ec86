import type { Generated } from 'kysely';

/** The last search through each repository of which somebody told. */
interface CodeScansTable {
  project: string;
  repository: string;
  commit: string | null;
  scanned_at: Date;
}

/** Of features that there are, and of names that none has, or not in the project. */
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
