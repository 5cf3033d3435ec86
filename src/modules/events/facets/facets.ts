import { sql } from 'kysely';
import { createCache } from '../../../platform/cache.ts';
import type { Db } from '../../../platform/db/database.ts';
import { createSemaphore } from '../../../platform/semaphore.ts';
import { createSingleFlight } from '../../../platform/single-flight.ts';
import { createdAtText } from '../created-at.ts';
import { readLog } from '../log-state.ts';
import type { Filter } from '../search/filter.ts';
import type { Search } from '../search/search.ts';
import { keyOf } from '../search/totals.ts';
import { maxCounted } from './contract.ts';

interface Count {
  readonly value: string;
  readonly count: number;
}

interface CreatorCount {
  readonly id: number;
  readonly name: string;
  readonly count: number;
}

export interface Facets {
  readonly counted: number;
  readonly isComplete: boolean;
  readonly since: string | null;
  readonly types: Count[];
  readonly projects: Count[];
  readonly environments: Count[];
  readonly creators: CreatorCount[];
}

interface Row {
  readonly facet: 'type' | 'project' | 'environment' | 'creator';
  readonly value: string;
  readonly id: number | null;
  readonly count: number;
}

/** One pass over the rows for all four columns. The most frequent values of each come first. */
async function countValues(db: Db, ids: string, most: number): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    with hit as materialized (
      select e.id, e.type, e.project, e.environment, e.created_by_user_id as creator
      from events e where e.id = any(string_to_array(${ids}, ',')::bigint[])
    ), counted as (
      select case when grouping(type) = 0 then 'type' when grouping(project) = 0 then 'project'
                  when grouping(environment) = 0 then 'environment' else 'creator' end as facet,
             coalesce(type, project, environment) as value, creator, count(*) as count, max(id) as last
      from hit group by grouping sets ((type), (project), (environment), (creator))
    ), ranked as (
      select *, row_number() over (partition by facet order by count desc, value, creator) as rank
      from counted where value is not null or creator is not null
    )
    select r.facet, coalesce(r.value, e.created_by) as value, r.creator as id, r.count
    from ranked r left join events e on r.facet = 'creator' and e.id = r.last
    where r.rank <= ${most}
    order by r.facet, r.rank`.execute(db);
  return rows;
}

async function findInstant(db: Db, id: number): Promise<string | null> {
  const { rows } = await sql<{ at: string }>`
    select ${createdAtText} as at from events e where e.id = ${id}`.execute(db);
  return rows[0]?.at ?? null;
}

/** Counting reads up to 100,000 rows, so two at a time are enough for two cores. */
const maxAtOnce = 2;
const maxCached = 500;

/**
 * Counts the values of the events that a search finds, with the same visibility. The work is bounded: of more than
 * `maxCounted` hits only the newest are counted, and the response says so. Counts are cached until the next event.
 */
export function createFacets(db: Db, search: Search) {
  const cache = createCache<string, Facets>({ maxEntries: maxCached });
  const flights = createSingleFlight<string, Facets>();
  const counting = createSemaphore(maxAtOnce);

  async function count(filter: Filter, most: number): Promise<Facets> {
    const paging = { order: 'desc', limit: maxCounted, offset: 0, after: undefined } as const;
    const { ids, count: counted, after } = await search.batch(filter, paging);
    const rows = counted === 0 ? [] : await countValues(db, ids, most);
    const of = (facet: Row['facet']): Count[] =>
      rows.filter((row) => row.facet === facet).map(({ value, count }) => ({ value, count }));
    return {
      counted,
      isComplete: after === undefined,
      since: after === undefined ? null : await findInstant(db, after),
      types: of('type'),
      projects: of('project'),
      environments: of('environment'),
      creators: rows.flatMap(({ facet, id, value: name, count }) =>
        facet === 'creator' && id !== null ? [{ id, name, count }] : [],
      ),
    };
  }

  return async (filter: Filter, most: number): Promise<Facets> => {
    const key = JSON.stringify([keyOf(filter), most, await readLog(db)]);
    const cached = cache.get(key);
    if (cached) return cached;
    return flights.join(key, async () => {
      const facets = await counting.run(() => count(filter, most));
      cache.set(key, facets);
      return facets;
    });
  };
}
