import { sql } from 'kysely';
import type { Services } from '../../platform/module.ts';

export function eventMetrics({ readBriefly, metrics }: Services): void {
  metrics.gauge({ name: 'burgee_events_head_id', help: 'Id of the last event of the log' }, () =>
    readBriefly(async (db) => {
      const { rows } = await sql<{ head: number }>`
          select coalesce((select max(id) from events), anchor_id) as head from event_log`.execute(
        db,
      );
      return rows[0]?.head;
    }),
  );
}
