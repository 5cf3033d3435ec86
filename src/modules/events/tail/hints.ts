import { type RawBuilder, sql } from 'kysely';
import type { EventType } from '../event-types-schema.ts';
import { all } from '../search/predicate.ts';

/** What everyone can read who is signed in, while the events about it belong to no project: administrators see them. */
const hinted: readonly EventType[] = [
  'segment-created',
  'segment-updated',
  'segment-deleted',
  'environment-created',
  'environment-updated',
  'environment-deleted',
  'context-field-created',
  'context-field-updated',
  'context-field-deleted',
  'tag-type-created',
  'tag-type-updated',
  'tag-type-deleted',
  'tag-created',
  'tag-deleted',
  'strategy-created',
  'strategy-updated',
  'strategy-deleted',
  'strategy-deprecated',
  'strategy-reactivated',
  'feature-type-updated',
];

/** Of all settings, everyone may know only whether changes are possible. */
const maintenance = sql`(e.type in ('setting-created', 'setting-updated') and e.data->>'id' = 'maintenance.mode')`;

/** The types of the events for which there is a hint, without anything else of them. Null if there are none. */
export const typesHinted = (inWindow: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql`(
  select array_agg(distinct e.type order by e.type) from events e
  where ${all([...inWindow, sql`e.project is null`])} and (e.type = any(${hinted}::text[]) or ${maintenance}))`;
