import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import type { Link } from './link-schema.ts';

export const listLinks = (db: Db, feature: string): Promise<Link[]> =>
  db
    .selectFrom('feature_links')
    .where('feature_name', '=', feature)
    .select(['id', 'url', 'title'])
    .orderBy('sort_order')
    .orderBy('id')
    .execute();

export interface NewLink extends Link {
  readonly featureName: string;
  readonly sortOrder: number;
}

/** Sent as one JSON text, because many copies can have more values than a statement takes. */
export const insertLinks = (tx: Tx, links: readonly NewLink[]) =>
  tx.db
    .insertInto('feature_links')
    .columns(['id', 'feature_name', 'url', 'title', 'sort_order'])
    .expression(
      sql`select * from json_to_recordset(${JSON.stringify(links)})
        added(id text, "featureName" text, url text, title text, "sortOrder" integer)`,
    )
    .execute();

/** Behind all links that the feature has. */
export const appendLink = (tx: Tx, feature: string, { id, url, title }: Link) =>
  tx.db
    .insertInto('feature_links')
    .columns(['id', 'feature_name', 'url', 'title', 'sort_order'])
    .expression(
      sql`select ${id}, ${feature}, ${url}, ${title}::text, coalesce(max(sort_order) + 1, 0)
        from feature_links where feature_name = ${feature}`,
    )
    .execute();

export const updateLink = (tx: Tx, { id, url, title }: Link) =>
  tx.db.updateTable('feature_links').set({ url, title }).where('id', '=', id).execute();

export const deleteLink = (tx: Tx, id: string) =>
  tx.db.deleteFrom('feature_links').where('id', '=', id).execute();

export const deleteLinksOf = (tx: Tx, feature: string) =>
  tx.db.deleteFrom('feature_links').where('feature_name', '=', feature).execute();
