/** Reviews: users decided that a feature is not potentially stale before a day, or never. */
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

/** A view of all features, with the end of their lifetimes. */
interface FeatureAgesView {
  name: string;
  project: string;
  type: string;
  stale: boolean;
  created_at: Date;
  archived_at: Date | null;
  /** Null if features of the type have no end of life. */
  lifetime_days: number | null;
  /**
   * When the lifetime, or a longer snooze, ends; null for never. From then on a feature that is not stale is
   * potentially stale.
   */
  due_at: Date | null;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    feature_ages: FeatureAgesView;
    feature_reviews: FeatureReviewsTable;
    potentially_stale_features: PotentiallyStaleFeaturesTable;
  }
}
