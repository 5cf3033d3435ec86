import { type Kysely, sql } from 'kysely';
import type { Database, Db, Tx } from '../../../platform/db/database.ts';
import { deleteInBatches } from '../../../platform/db/in-batches.ts';
import type { ReportedEdge } from './reported.ts';

/** Anyone with a token can invent edges. Concurrent instances may exceed the limit by a few. */
export const mostEdges = 1_000;

/** Stores what edges reported last; new ones only within the limit. */
export const upsertEdges = (tx: Tx, edges: readonly ReportedEdge[]) =>
  sql`
    insert into edges (
      identifier, parent, instance_id, app_name, version, region, environment, started_at, reported_at,
      state_age_seconds, connected_clients, requests, memory_bytes,
      features_ms, features_p99_ms, metrics_ms, metrics_p99_ms)
    select identifier, parent, "instanceId", "appName", version, region, environment, "startedAt", "reportedAt",
      "stateAgeSeconds", "connectedClients", requests, "memoryBytes",
      "featuresMs", "featuresP99Ms", "metricsMs", "metricsP99Ms"
    from (
      select reported.*, stored.identifier is not null as "isStored",
        row_number() over (partition by stored.identifier is null) as rank
      from json_to_recordset(${JSON.stringify(edges)}) as reported(
        identifier text, parent text, "instanceId" text, "appName" text, version text, region text,
        environment text, "startedAt" timestamptz, "reportedAt" timestamptz,
        "stateAgeSeconds" float8, "connectedClients" float8, requests float8, "memoryBytes" float8,
        "featuresMs" float8, "featuresP99Ms" float8, "metricsMs" float8, "metricsP99Ms" float8)
      left join edges stored on stored.identifier = reported.identifier
    ) ranked
    where "isStored" or rank + (select count(*) from edges) <= ${mostEdges}::int
    order by identifier
    on conflict (identifier) do update set
      parent = excluded.parent, instance_id = excluded.instance_id, app_name = excluded.app_name,
      version = excluded.version, region = excluded.region, environment = excluded.environment,
      started_at = excluded.started_at, reported_at = excluded.reported_at,
      previous_at = edges.reported_at, state_age_seconds = excluded.state_age_seconds,
      connected_clients = excluded.connected_clients, requests = excluded.requests,
      memory_bytes = excluded.memory_bytes, features_ms = excluded.features_ms,
      features_p99_ms = excluded.features_p99_ms, metrics_ms = excluded.metrics_ms,
      metrics_p99_ms = excluded.metrics_p99_ms
    where edges.reported_at < excluded.reported_at`.execute(tx.db);

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
