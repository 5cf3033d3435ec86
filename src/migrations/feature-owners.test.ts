import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { migrations } from './index.ts';

test('features of an older version get their creator as owner, if that is a user who still exists', async () => {
  const { db } = await testDatabase();
  await sql`
    drop view feature_owners;
    alter table features drop column owner_user_id, drop column owner_group_id, drop column expires_at;
    insert into users (id, kind, name, root_role, created_at, deleted_at) values
      (101, 'person', 'Ada Holm', 1, now(), null),
      (102, 'person', '', 1, now(), now()),
      (103, 'service account', 'Robot', 1, now(), null);
    insert into features (name, project, type, impression_data, stale, created_by, created_by_user_id, created_at)
    select 'by-' || id, 'default', 'release', false, false, 'someone', id, now()
    from unnest(array[101, 102, 103, -5]) id`.execute(db);
  await migrations['0064-feature-owners']?.up(db);
  const owners = await db.selectFrom('feature_owners').selectAll().execute();
  expect(owners).toEqual([{ feature_name: 'by-101', type: 'user', id: 101, name: 'Ada Holm' }]);
});
