import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { type ContextField, listContextFields } from '../../catalogue/context-fields/index.ts';
import { listTagTypes, type TagType } from '../../catalogue/tags/index.ts';

export async function listContextFieldsNamed(
  db: Db,
  names: readonly string[],
): Promise<Omit<ContextField, 'createdAt'>[]> {
  const fields = await listContextFields(db);
  const wanted = new Set(names);
  return fields.filter(({ name }) => wanted.has(name)).map(({ createdAt: _, ...field }) => field);
}

export async function listTagTypesNamed(db: Db, names: readonly string[]): Promise<TagType[]> {
  const types = await listTagTypes(db);
  const wanted = new Set(names);
  return types.filter(({ name }) => wanted.has(name));
}

export const listSegmentsWithIds = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('segments')
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .select(['id', 'name'])
    .orderBy('id')
    .execute();

/** What users sign in with, by ID. */
export async function listLogins(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ id: number; login: string }>`
    select id, coalesce(email, username) as login from users
    where id = any(${ids}::int[]) and coalesce(email, username) is not null`.execute(db);
  return new Map(rows.map(({ id, login }) => [id, login]));
}
