import { sql } from 'kysely';
import type { Module } from '../../platform/module.ts';

/**
 * New texts go to the pending lists of the trigram indexes. This job empties them, so that no writer has to do it while
 * it holds the lock of the event log, which took 280 ms at a time.
 */
export const jobs: NonNullable<Module['jobs']> = ({ writeDb }) => [
  {
    name: 'events: flush the pending lists of the text indexes',
    everyMs: 2000,
    run: async () => {
      await sql`select gin_clean_pending_list('event_texts_trgm_idx')`.execute(writeDb);
      await sql`select gin_clean_pending_list('event_side_texts_trgm_idx')`.execute(writeDb);
    },
  },
];
