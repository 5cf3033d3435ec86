interface ImportsTable {
  /** The address of the installation that is imported. */
  source: string;
  /** Whether its event log comes too. Decided once, when the import begins. */
  history: 'wanted' | 'left out';
  /** The id there of the last event that has been brought over. */
  history_until: number;
  began_at: Date;
  cut_over_at: Date | null;
}

/** What is recognized by its id in the source, because it may be renamed or has no name. */
export type ThingKind = 'account' | 'changeRequest' | 'integration' | 'segment';

interface ImportThingsTable {
  source: string;
  kind: ThingKind;
  their_id: number;
  our_id: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    imports: ImportsTable;
    import_things: ImportThingsTable;
  }
}
