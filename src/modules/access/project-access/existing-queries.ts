import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** Those of the accounts that are not deleted. They cannot be deleted before the transaction ends. */
export const lockUsers = (tx: Tx, ids: readonly number[]) =>
  tx.db
    .selectFrom('users')
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'email', 'username'])
    .orderBy('id')
    .forShare()
    .execute();

export const lockGroups = (tx: Tx, ids: readonly number[]) =>
  tx.db
    .selectFrom('groups')
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .select(['id', 'name'])
    .orderBy('id')
    .forKeyShare()
    .execute();

export const lockRoles = (tx: Tx, ids: readonly number[]) =>
  tx.db
    .selectFrom('roles')
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .select(['id', 'name', 'type'])
    .orderBy('id')
    .forKeyShare()
    .execute();

export type LockedRole = Awaited<ReturnType<typeof lockRoles>>[number];
