import { type RawBuilder, sql } from 'kysely';

/** Another value for each column of an event that its hash covers. */
export const eventEdits: Readonly<Record<string, RawBuilder<unknown>>> = {
  created_at: sql`created_at + interval '1 millisecond'`,
  type: sql`type || '-not'`,
  created_by: sql`created_by || 'x'`,
  created_by_user_id: sql`coalesce(created_by_user_id, 0) + 1`,
  project: sql`coalesce(project, '') || 'x'`,
  environment: sql`coalesce(environment, '') || 'x'`,
  feature_name: sql`coalesce(feature_name, '') || 'x'`,
  data: sql`'{"n":1000}'::json`,
  pre_data: sql`'{"n":1000}'::json`,
  tags: sql`'[{"type":"simple","value":"other"}]'::json`,
  ip: sql`coalesce(ip, '') || '1'`,
  request_id: sql`coalesce(request_id, '') || '1'`,
  actor_seal: sql`set_byte(actor_seal, 0, (get_byte(actor_seal, 0) + 1) % 256)`,
  subject_keys: sql`array['username']`,
  subject_seal: sql`decode(repeat('ab', 16), 'hex')`,
  hash: sql`set_byte(hash, 0, (get_byte(hash, 0) + 1) % 256)`,
};

/** The columns of an event after its id, to insert a copy of one. */
export const columnsAfterId = sql`created_at, type, created_by, created_by_user_id, project, environment,
  feature_name, data, pre_data, tags, label, summary, ip, request_id, actor_seal, subject_keys,
  subject_seal, hash`;
