import type { GeneratedAlways } from 'kysely';

interface UsageHoursTable {
  feature_name: string;
  hour: Date;
  environment: string;
  app_name: string;
  yes: number;
  no: number;
}

interface UsageVariantHoursTable {
  feature_name: string;
  hour: Date;
  environment: string;
  app_name: string;
  variant: string;
  count: number;
}

/** The sums of `usage_hours` over applications and environments: a list shows them for many features. */
interface EvaluationHoursTable {
  feature_name: string;
  hour: Date;
  yes: number;
  no: number;
}

interface ApplicationsTable {
  app_name: string;
  description: string;
  url: string | null;
  color: string | null;
  icon: string | null;
  strategies: string[];
  /** Only seen with frontend tokens, which are public. */
  is_public: boolean;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  seen_at: Date;
}

interface ApplicationInstancesTable {
  app_name: string;
  environment: string;
  instance_id: string;
  sdk_version: string | null;
  sdk_type: string | null;
  spec_version: string | null;
  client_ip: string | null;
  created_at: Date;
  seen_at: Date;
}

/** The projects of the tokens that an application used; `*` means all. */
interface ApplicationReachTable {
  app_name: string;
  project: string;
  environment: string;
  seen_at: Date;
  /** Null for all. */
  project_id: GeneratedAlways<string | null>;
}

/** The features that an application evaluates. */
interface ApplicationFeaturesTable {
  app_name: string;
  feature_name: string;
  environment: string;
  seen_at: Date;
}

/** Names that applications evaluate and that no feature has. */
interface UnknownFeaturesTable {
  name: string;
  app_name: string;
  environment: string;
  seen_at: Date;
}

/** Unknown names that are left out of the list. */
interface IgnoredNamesTable {
  name: string;
  ignored_at: Date;
}

/** Reports of usage that were counted, by the id that their sender gave them. */
interface UsageBatchesTable {
  id: string;
  counted_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    usage_hours: UsageHoursTable;
    usage_variant_hours: UsageVariantHoursTable;
    evaluation_hours: EvaluationHoursTable;
    applications: ApplicationsTable;
    application_instances: ApplicationInstancesTable;
    application_reach: ApplicationReachTable;
    application_features: ApplicationFeaturesTable;
    unknown_features: UnknownFeaturesTable;
    ignored_names: IgnoredNamesTable;
    usage_batches: UsageBatchesTable;
  }
}
