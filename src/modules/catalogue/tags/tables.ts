interface TagTypesTable {
  name: string;
  description: string;
  icon: string | null;
  color: string | null;
  created_at: Date;
}

interface TagsTable {
  type: string;
  value: string;
  /**
   * The project of the feature that the tag was created for; null: created for all. Empty, which is no project id:
   * that project was private and is deleted.
   */
  born_in: string | null;
  created_at: Date;
}

interface FeatureTagsTable {
  feature_name: string;
  type: string;
  value: string;
  created_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    tag_types: TagTypesTable;
    tags: TagsTable;
    feature_tags: FeatureTagsTable;
  }
}
