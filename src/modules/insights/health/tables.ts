/** A feature is not potentially stale before a day, or never: people decided so. */
interface FeatureReviewsTable {
  feature_name: string;
  permanent: boolean;
  snoozed_until: Date | null;
  reason: string;
  reviewed_by: string;
  reviewed_by_user_id: number;
  reviewed_at: Date;
}

/** Features whose potential staleness is recorded in the log. */
interface PotentiallyStaleFeaturesTable {
  feature_name: string;
  since: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    feature_reviews: FeatureReviewsTable;
    potentially_stale_features: PotentiallyStaleFeaturesTable;
  }
}
