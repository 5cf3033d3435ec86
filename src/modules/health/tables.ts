/** What people said of the age of a feature: not before this day, or never. */
interface FeatureReviewsTable {
  feature_name: string;
  permanent: boolean;
  snoozed_until: Date | null;
  reason: string;
  reviewed_by: string;
  reviewed_by_user_id: number;
  reviewed_at: Date;
}

/** Of which features the log says that they are potentially stale. */
interface PotentiallyStaleFeaturesTable {
  feature_name: string;
  since: Date;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    feature_reviews: FeatureReviewsTable;
    potentially_stale_features: PotentiallyStaleFeaturesTable;
  }
}
