import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import type { StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import type { Dependency } from '../feature-schema.ts';
import type { LinkContent } from '../links/link-schema.ts';
import type { Variant } from '../variants/variant-schema.ts';

interface OriginalRow {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly impressionData: boolean;
  /** Whether its project is private. */
  readonly isPrivate: boolean;
  /** Characters of its strategies. */
  readonly characters: number;
}

/** Locks living features and the project that gets the copies until the transaction ends. */
export async function lockOriginals(
  tx: Tx,
  target: string,
  names: readonly string[],
): Promise<OriginalRow[]> {
  const { rows } = await sql<OriginalRow>`
    select own.name, own.project, own.type, own.description, own."impressionData",
      projects.mode = 'private' as "isPrivate",
      (select coalesce(sum(octet_length(held.parameters::text) + octet_length(held.constraints::text)
          + octet_length(held.variants::text)), 0)
        from feature_strategies held where held.feature_name = own.name)::float8 as characters
    from lock_originals(${target}, ${names}::text[]) own
    join projects on projects.id = own.project`.execute(tx.db);
  return rows;
}

interface Contents {
  readonly tags: readonly { feature: string; type: string; value: string }[];
  readonly variants: readonly { feature: string; environment: string; variants: Variant[] }[];
  readonly dependencies: readonly { child: string; dependency: Dependency }[];
  readonly links: readonly (LinkContent & { readonly feature: string })[];
  readonly strategies: readonly {
    feature: string;
    environment: string;
    title: string | null;
    strategy: Omit<StrategyShape, 'title'>;
  }[];
  /** Strategy types with a group id. */
  readonly typesWithGroupId: readonly string[];
}

/** Everything that originals have. */
export async function readContents(db: Db, names: readonly string[]): Promise<Contents> {
  const { rows } = await sql<Omit<Contents, 'strategies'>>`
    select
      (select coalesce(json_agg(json_build_object('feature', t.feature_name, 'type', t.type, 'value', t.value)
          order by t.type, t.value), '[]')
        from feature_tags t where t.feature_name = any(${names}::text[])) as tags,
      (select coalesce(json_agg(json_build_object('feature', s.feature_name, 'environment', s.environment,
          'variants', s.variants) order by s.environment), '[]')
        from feature_environments s where s.feature_name = any(${names}::text[])) as variants,
      (select coalesce(json_agg(json_build_object('child', d.child, 'dependency', json_build_object(
          'feature', d.parent, 'enabled', d.enabled, 'variants', d.variants)) order by d.parent), '[]')
        from feature_dependencies d where d.child = any(${names}::text[])) as dependencies,
      (select coalesce(json_agg(json_build_object('feature', l.feature_name, 'url', l.url, 'title', l.title)
          order by l.sort_order, l.id), '[]')
        from feature_links l where l.feature_name = any(${names}::text[])) as links,
      array(select t.name from strategy_types t where exists (
        select from json_array_elements(t.parameters) p where p->>'name' = 'groupId')) as "typesWithGroupId"`.execute(
    db,
  );
  // In rows of their own: parsing megabytes as one value would block other requests.
  const strategies = await sql<Contents['strategies'][number]>`
    select g.feature_name as feature, g.environment, g.title, json_build_object(
      'name', g.name, 'disabled', g.disabled, 'sortOrder', g.sort_order,
      'constraints', g.constraints, 'variants', g.variants, 'parameters', g.parameters,
      'segments', array(select link.segment_id from feature_strategy_segments link
        where link.strategy_id = g.id order by link.segment_id)) as strategy
    from feature_strategies g where g.feature_name = any(${names}::text[])
    order by g.environment, g.sort_order, g.created_at, g.id`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('a statement without a table has one row');
  return { ...found, strategies: strategies.rows };
}
