import type { Generated } from 'kysely';

interface SavedViewsTable {
  id: Generated<number>;
  /** The author. */
  user_id: number;
  page: 'features' | 'events';
  /** The project whose list it belongs to; null for the list of all projects. */
  project: string | null;
  name: string;
  query: string;
  shared: boolean;
  created_at: Date;
  updated_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    saved_views: SavedViewsTable;
  }
}
