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

/** Their sum is another one whenever a feature was seen, or enters a stage by that; the database sees to it. */
interface SeenMarksTable {
  slot: number;
  mark: number;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    feature_reviews: FeatureReviewsTable;
    potentially_stale_features: PotentiallyStaleFeaturesTable;
    seen_marks: SeenMarksTable;
  }
}
