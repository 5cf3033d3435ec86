import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';

const features = '/api/admin/projects/default/features';

test('all projects together have at most 50,000 active features', async () => {
  const full = await testApp();
  await sql`
    insert into features (name, project, type, description, impression_data, stale, created_by,
      created_by_user_id, created_at, archived_at)
    select 'mass-' || i, 'default', 'release', '', false, false, 'admin', -2000, now(), null
    from generate_series(1, 49999) i`.execute(full.db);
  const ask = (name: string) => full.ask(`POST ${features}`, { payload: { name } });
  expect((await ask('fits')).statusCode).toBe(201);
  const refused = await ask('beyond');
  expect([refused.statusCode, refused.json().name]).toEqual([403, 'InvalidOperationError']);
  expect(refused.json().message).toContain('50000');
  await full.ask(`DELETE ${features}/mass-1`);
  expect((await ask('beyond')).statusCode).toBe(201);
  const revived = await full.ask('POST /api/admin/archive/revive/mass-1');
  expect(revived.statusCode).toBe(403);
});
