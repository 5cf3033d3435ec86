interface CodeScansTable {
  project: string;
  repository: string;
  commit: string | null;
  scanned_at: Date;
}

interface CodeReferencesTable {
  project: string;
  repository: string;
  feature_name: string;
  path: string;
  line: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    code_scans: CodeScansTable;
    code_references: CodeReferencesTable;
  }
}
