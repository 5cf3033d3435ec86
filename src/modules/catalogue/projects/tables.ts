import type { ColumnType, Generated } from 'kysely';
import type { ChangeRequestRules } from './change-requests/contract.ts';
import type { DefaultStrategy } from './environments/default-strategy-schema.ts';
import type { LinkTemplate } from './project-schema.ts';

interface ProjectsTable {
  id: string;
  name: string;
  /** Null: never set. */
  description: string | null;
  mode: 'open' | 'protected' | 'private';
  default_stickiness: string;
  feature_limit: number | null;
  feature_naming_pattern: string | null;
  feature_naming_example: string | null;
  feature_naming_description: string | null;
  link_templates: ColumnType<LinkTemplate[], string | undefined, string>;
  /** Whether features become stale automatically at the end of their lifetime. */
  auto_stale: Generated<boolean>;
  /** Whether the UI asks before a feature is enabled or disabled in production. */
  asks_before_production: Generated<boolean>;
  /** Budgets; null: none. */
  max_stale: number | null;
  min_health: number | null;
  /** Events of this id with a smaller event id belong to an earlier project; 0: there was none. */
  first_event_id: Generated<number>;
  created_at: Date;
  updated_at: Date;
  archived_at: Date | null;
}

/** The environments of a project. Without a default strategy of its own, new features get the built-in one. */
interface ProjectEnvironmentsTable {
  project: string;
  environment: string;
  default_strategy: ColumnType<DefaultStrategy | null, string | null, string | null>;
  /** Whether changes in it need approval. */
  change_requests_enabled: Generated<boolean>;
  /** Required approvals; null: never set. Kept while change requests are disabled. */
  required_approvals: Generated<number | null>;
  /** Null: the usual ones. Kept while change requests are disabled. */
  change_request_rules: ColumnType<
    ChangeRequestRules | null,
    string | null | undefined,
    string | null
  >;
}

interface ProjectFavoritesTable {
  project: string;
  user_id: number;
  created_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    projects: ProjectsTable;
    project_environments: ProjectEnvironmentsTable;
    project_favorites: ProjectFavoritesTable;
  }
}
