import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { migrations } from './index.ts';

test('evaluations that an older version stored are summed up by feature and hour, and capped', async () => {
  const { db } = await testDatabase();
  await sql`
    drop table evaluation_hours;
    insert into features (name, project, type, impression_data, stale, created_by, created_by_user_id, created_at)
    values ('used', 'default', 'release', false, false, 'someone', -5, now());
    insert into usage_hours (feature_name, hour, environment, app_name, yes, no) values
      ('used', '2026-01-05 12:00Z', 'development', 'shop', 1, 10),
      ('used', '2026-01-05 12:00Z', 'production', 'till', 2, 20),
      ('used', '2026-01-05 13:00Z', 'production', 'till', 9000000000000000, 0),
      ('used', '2026-01-05 13:00Z', 'production', 'shop', 9000000000000000, 0)`.execute(db);
  await migrations['0063-evaluation-hours']?.up(db);
  const hours = await db.selectFrom('evaluation_hours').selectAll().orderBy('hour').execute();
  expect(hours).toEqual([
    { feature_name: 'used', hour: new Date('2026-01-05T12:00:00Z'), yes: 3, no: 30 },
    { feature_name: 'used', hour: new Date('2026-01-05T13:00:00Z'), yes: 9e15, no: 0 },
  ]);
});
