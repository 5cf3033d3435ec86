import { type Kysely, sql } from 'kysely';
import type { Database, Db, Tx } from '../../../platform/db/database.ts';
import { deleteInBatches } from '../../../platform/db/in-batches.ts';
import type { ReportedEdge } from './reported.ts';

/** Anyone with a token can invent edges. Concurrent instances may exceed the limit by a few. */
export const mostEdges = 1_000;

/** The columns that come from a report, with the property of `ReportedEdge`. */
const reportedColumns = [
  ['identifier', 'identifier'],
  ['parent', 'parent'],
  ['instance_id', 'instanceId'],
  ['app_name', 'appName'],
  ['version', 'version'],
  ['region', 'region'],
  ['environment', 'environment'],
  ['started_at', 'startedAt'],
  ['reported_at', 'reportedAt'],
  ['state_age_seconds', 'stateAgeSeconds'],
  ['connected_clients', 'connectedClients'],
  ['requests', 'requests'],
  ['memory_bytes', 'memoryBytes'],
  ['features_ms', 'featuresMs'],
  ['features_p99_ms', 'featuresP99Ms'],
  ['metrics_ms', 'metricsMs'],
  ['metrics_p99_ms', 'metricsP99Ms'],
] as const;

/** Stores what edges reported last; new ones only within the limit. */
export const upsertEdges = (tx: Tx, edges: readonly ReportedEdge[]) =>
  tx.db
    .insertInto('edges')
    .columns(reportedColumns.map(([column]) => column))
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<ReportedEdge & { isStored: boolean; rank: number }>`(
          select reported.*, stored.identifier is not null as "isStored",
            row_number() over (partition by stored.identifier is null) as rank
          from json_to_recordset(${JSON.stringify(edges)}) as reported(
            identifier text, parent text, "instanceId" text, "appName" text, version text, region text,
            environment text, "startedAt" timestamptz, "reportedAt" timestamptz,
            "stateAgeSeconds" float8, "connectedClients" float8, requests float8, "memoryBytes" float8,
            "featuresMs" float8, "featuresP99Ms" float8, "metricsMs" float8, "metricsP99Ms" float8)
          left join edges stored on stored.identifier = reported.identifier
        )`.as('reported'),
      )
        .where(
          sql<boolean>`reported."isStored"
            or reported.rank + (select count(*) from edges) <= ${mostEdges}::int`,
        )
        .select(reportedColumns.map(([, property]) => `reported.${property}` as const))
        .orderBy('reported.identifier'),
    )
    .onConflict((conflict) =>
      conflict
        .column('identifier')
        .doUpdateSet(({ ref }) => ({
          ...Object.fromEntries(
            reportedColumns.map(([column]) => [column, ref(`excluded.${column}`)]),
          ),
          previous_at: ref('edges.reported_at'),
        }))
        .whereRef('edges.reported_at', '<', 'excluded.reported_at'),
    )
    .execute();

/** Lists those that reported since an instant, by name. */
export const listEdgesSince = (db: Db, since: Date) =>
  db
    .selectFrom('edges')
    .where('reported_at', '>', since)
    .select([
      'identifier',
      'parent',
      'instance_id as instanceId',
      'app_name as appName',
      'version',
      'region',
      'environment',
      'started_at as startedAt',
      'reported_at as reportedAt',
      'state_age_seconds as stateAgeSeconds',
      'connected_clients as connectedClients',
      'memory_bytes as memoryBytes',
      'features_ms as featuresMs',
      'features_p99_ms as featuresP99Ms',
      'metrics_ms as metricsMs',
      'metrics_p99_ms as metricsP99Ms',
      // An edge that reported once has counted since its start. Reports closer than a second are not a rate.
      sql<number | null>`requests / greatest(1, extract(epoch from
        reported_at - coalesce(previous_at, started_at)))`.as('requestsPerSecond'),
    ])
    .orderBy('app_name')
    .orderBy('identifier')
    .limit(mostEdges)
    .execute();

export const deleteEdgesBefore = (db: Kysely<Database>, before: Date) =>
  deleteInBatches(db, 'edges', sql`reported_at < ${before}`);
