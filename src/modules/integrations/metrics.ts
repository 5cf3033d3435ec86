import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Reading } from '../../platform/metrics.ts';
import type { Services } from '../../platform/module.ts';
import { createSingleFlight } from '../../platform/single-flight.ts';

export interface Backlog {
  readonly integration: number;
  readonly provider: string;
  readonly pending: number;
  readonly oldestSeconds: number | null;
  readonly givenUp: number;
}

/** Counting stops here: a million would take a second, and no one needs the exact number. */
const mostCounted = 10_000;

/** Lists what each integration still has to deliver, and what it gave up. */
export async function listBacklogs(db: Db): Promise<Backlog[]> {
  const { rows } = await sql<Backlog>`
    select i.id as integration, i.provider,
      (select count(*) from (select from deliveries d
        where d.integration_id = i.id and d.next_at is not null limit ${mostCounted}) waiting) as pending,
      (select extract(epoch from clock_timestamp() - d.created_at)::float8 from deliveries d
        where d.integration_id = i.id and d.next_at is not null
        order by d.event_id limit 1) as "oldestSeconds",
      (select count(*) from (select from deliveries d
        where d.integration_id = i.id and d.outcome = 'failed' and d.next_at is null
        limit ${mostCounted}) lost) as "givenUp"
    from integrations i where i.deleted_at is null order by i.id`.execute(db);
  return rows;
}

/** Pending and given-up deliveries by integration, read once for all metrics of a scrape. */
export function deliveryMetrics({ searchDb, metrics: { gauge } }: Services): void {
  const { join } = createSingleFlight<'backlogs', Backlog[]>();
  const read = () => join('backlogs', () => listBacklogs(searchDb));
  const add = (name: string, help: string, figureOf: (backlog: Backlog) => number) =>
    gauge({ name, help, labels: ['integration', 'provider'] }, async () =>
      (await read()).map(
        (backlog): Reading => ({
          labels: { integration: String(backlog.integration), provider: backlog.provider },
          value: figureOf(backlog),
        }),
      ),
    );
  add('burgee_deliveries_pending', 'Pending deliveries, up to 10,000', ({ pending }) => pending);
  add(
    'burgee_deliveries_given_up',
    'Stored deliveries that failed permanently and were not redelivered, up to 10,000',
    ({ givenUp }) => givenUp,
  );
  add(
    'burgee_deliveries_oldest_pending_seconds',
    'Age of the oldest pending delivery; 0 if there is none',
    ({ oldestSeconds }) => oldestSeconds ?? 0,
  );
}
