import { type Kysely, sql } from 'kysely';
import { appendEvents, tellAuthor, tellDay } from './append-events.ts';
import { guardEvents } from './guard-events.ts';
import { lockFeatures } from './lock-features.ts';
import { lockOriginals } from './lock-originals.ts';

/**
 * The SQL functions in force. Each stands here once, in its latest form. Whoever changes one adds a migration that
 * applies it again, so that older databases get it too.
 *
 * PL/pgSQL looks tables up when a function runs. So an early migration may apply a function that names a table of a
 * later one.
 */
const functions = {
  append_events: [tellDay, tellAuthor, appendEvents],
  guard_events: [guardEvents],
  lock_features: [lockFeatures],
  lock_originals: [lockOriginals],
} as const;

/**
 * The functions that write and guard the log look for their tables in this schema, whoever calls them. Otherwise an
 * account without any right to the anchor could make a temporary table `event_log`, and let the guard read that one.
 */
const signatures: Partial<Record<keyof typeof functions, string>> = {
  append_events: 'append_events(json)',
  guard_events: 'guard_events()',
};

// biome-ignore lint/suspicious/noExplicitAny: migrations know no tables
type AnyDb = Kysely<any>;

export async function applyFunction(db: AnyDb, name: keyof typeof functions): Promise<void> {
  for (const text of functions[name]) await sql.raw(text).execute(db);
  const signature = signatures[name];
  if (signature === undefined) return;
  await sql
    .raw(
      `do $$ begin
        execute format('alter function ${signature} set search_path = %I, pg_temp', current_schema());
      end $$`,
    )
    .execute(db);
}
