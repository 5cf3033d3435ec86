import { type Kysely, sql } from 'kysely';
import { applyFunction } from './functions/index.ts';

/** Notifications and emails for those whom an event concerns, such as the reviewers of a change request. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table event_recipients (
      user_id             integer not null,
      event_id            bigint not null,
      -- Null if it was sent, or none is wanted.
      email_due_at        timestamptz(3),
      email_failures      smallint not null default 0,
      -- Until when an instance is sending it.
      email_claimed_until timestamptz(3),
      constraint event_recipients_pkey primary key (user_id, event_id)
    );
    create index event_recipients_event_idx on event_recipients (event_id);
    create index event_recipients_email_idx on event_recipients (email_due_at)
      where email_due_at is not null;
    -- Who wants no emails that are addressed to them.
    create table direct_emails_off (
      user_id integer constraint direct_emails_off_pkey primary key
    );`.execute(db);
  await applyFunction(db, 'append_events');
}
