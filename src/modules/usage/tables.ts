interface UsageHoursTable {
  feature_name: string;
  environment: string;
  app_name: string;
  hour: Date;
  yes: number;
  no: number;
}

interface UsageVariantHoursTable {
  feature_name: string;
  environment: string;
  app_name: string;
  hour: Date;
  variant: string;
  count: number;
}

interface ApplicationsTable {
  app_name: string;
  description: string;
  url: string | null;
  color: string | null;
  icon: string | null;
  strategies: string[];
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
  client_ip: string | null;
  created_at: Date;
  seen_at: Date;
}

/** Names that applications ask for and that no feature has. */
interface UnknownFeaturesTable {
  name: string;
  app_name: string;
  environment: string;
  seen_at: Date;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    usage_hours: UsageHoursTable;
    usage_variant_hours: UsageVariantHoursTable;
    applications: ApplicationsTable;
    application_instances: ApplicationInstancesTable;
    unknown_features: UnknownFeaturesTable;
  }
}
