import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import type { Dependency, FeatureEnvironment, Strategy } from '../feature-schema.ts';
import type { Stage } from '../lifecycle/contract.ts';
import type { Link } from '../links/link-schema.ts';
import type { Variant } from '../variants/variant-schema.ts';
import { instantText, stageOrder } from './summary-queries.ts';

type Nullable<T, Keys extends keyof T> = Omit<T, Keys> & { [Key in Keys]: T[Key] | null };

/** A feature with everything that belongs to it. Responses omit null properties. */
export interface WholeRow {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly impressionData: boolean;
  readonly stale: boolean;
  readonly favorite: boolean;
  readonly createdAt: string;
  readonly archivedAt: string | null;
  readonly creator: { readonly id: number; readonly name: string };
  /** Null only for a row that was not created through the service. */
  readonly lifecycle: {
    readonly stage: Stage;
    readonly enteredStageAt: string;
    readonly status: string | null;
  } | null;
  readonly tags: { type: string; value: string }[];
  readonly children: string[];
  readonly dependencies: Dependency[];
  /** The authors of its events, except the creator, in the order of their first events. */
  readonly authors: readonly { readonly id: number; readonly name: string }[];
  /** Not read for whole projects: the health report has no links. */
  readonly links?: readonly Link[];
  readonly environments: readonly (Nullable<
    Pick<FeatureEnvironment, 'name' | 'type' | 'enabled' | 'sortOrder'> & {
      lastSeenAt: string;
      variants: Variant[];
    },
    'lastSeenAt'
  > & { readonly strategies: readonly Nullable<Required<Strategy>, 'title'>[] })[];
}

/**
 * Reads a few features completely, active and archived, in one statement. Each part is a separate subquery: joining the fifteen
 * tables takes longer to plan than to read.
 */
export async function listWhole(
  db: Db,
  names: readonly string[],
  userId: number,
): Promise<WholeRow[]> {
  const { rows } = await sql<WholeRow>`
    select f.name, f.project, f.type, f.description, f.impression_data as "impressionData", f.stale,
      exists (
        select from feature_favorites mine where mine.feature_name = f.name and mine.user_id = ${userId}
      ) as favorite,
      ${instantText('f.created_at')} as "createdAt",
      ${instantText('f.archived_at')} as "archivedAt",
      json_build_object('id', f.created_by_user_id, 'name', f.created_by) as creator,
      (
        select json_build_object(
          'stage', c.stage, 'enteredStageAt', ${instantText('c.entered_at')}, 'status', c.status)
        from feature_lifecycles c where c.feature_name = f.name
        order by array_position(${stageOrder}, c.stage) desc limit 1
      ) as lifecycle,
      (
        select coalesce(json_agg(json_build_object('type', t.type, 'value', t.value) order by t.type, t.value), '[]')
        from feature_tags t where t.feature_name = f.name
      ) as tags,
      (
        select coalesce(json_agg(d.child order by d.child), '[]')
        from feature_dependencies d join features c on c.name = d.child
        where d.parent = f.name and c.archived_at is null
      ) as children,
      (
        select coalesce(json_agg(json_build_object(
          'feature', d.parent, 'enabled', d.enabled, 'variants', d.variants) order by d.parent), '[]')
        from feature_dependencies d where d.child = f.name
      ) as dependencies,
      (
        select coalesce(json_agg(json_build_object('id', a.user_id, 'name', a.name) order by a.first_id), '[]')
        from feature_authors a
        where a.feature_name = f.name and a.user_id <> f.created_by_user_id
      ) as authors,
      (
        select coalesce(json_agg(json_build_object('id', l.id, 'url', l.url, 'title', l.title)
          order by l.sort_order, l.id), '[]')
        from feature_links l where l.feature_name = f.name
      ) as links,
      (
        select coalesce(json_agg(json_build_object(
          'name', e.name, 'type', e.type, 'sortOrder', e.sort_order,
          'enabled', coalesce(s.enabled, false), 'variants', coalesce(s.variants, '[]'),
          'lastSeenAt', ${instantText('s.last_seen_at')},
          'strategies', (
            select coalesce(json_agg(json_build_object(
              'id', g.id, 'featureName', g.feature_name, 'name', g.name, 'title', g.title,
              'disabled', g.disabled, 'sortOrder', g.sort_order, 'constraints', g.constraints,
              'variants', g.variants, 'parameters', g.parameters,
              'segments', array(select link.segment_id from feature_strategy_segments link
                where link.strategy_id = g.id order by link.segment_id)
            ) order by g.sort_order, g.created_at, g.id), '[]')
            from feature_strategies g where g.feature_name = f.name and g.environment = e.name
          )
        ) order by e.sort_order, e.name), '[]')
        from project_environments own
        join environments e on e.name = own.environment
        left join feature_environments s on s.feature_name = f.name and s.environment = e.name
        where own.project = f.project
      ) as environments
    from features f
    where f.name = any(${names}::text[])
    order by f.name`.execute(db);
  return rows;
}
