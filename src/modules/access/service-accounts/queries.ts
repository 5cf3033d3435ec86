import type { Db } from '../../../platform/db/database.ts';

/** Service accounts that are not deleted with their last use, oldest first. */
export const listServiceAccounts = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('last_seen', (join) =>
      join.onRef('last_seen.id', '=', 'users.id').on('last_seen.kind', '=', 'account'),
    )
    .where('users.kind', '=', 'service account')
    .where('deleted_at', 'is', null)
    .select([
      'users.id',
      'users.kind',
      'name',
      'username',
      'email',
      'root_role as rootRole',
      'created_at as createdAt',
      'last_seen.seen_at as seenAt',
    ])
    .orderBy('users.id')
    .execute();
