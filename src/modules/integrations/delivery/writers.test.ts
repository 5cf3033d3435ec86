import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { createProject, makeWebhook } from '../../../../test/support/integrations.ts';
import { progressLock } from './queries/progress.ts';

test('a change of an integration that waits for the fan-out does not block other writers', async () => {
  const { ask, db } = await testApp();
  const { id } = await makeWebhook(ask, { url: 'http://127.0.0.1:9/hook' });
  let paused: ReturnType<typeof ask> | undefined;
  await db.transaction().execute(async (holding) => {
    await sql`select pg_advisory_xact_lock(${progressLock})`.execute(holding);
    paused = ask(`POST /api/admin/addons/${id}/pause`);
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_locks where locktype = 'advisory' and objid = ${progressLock} and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(
        holding,
      );
      expect(rows).toHaveLength(1);
    }, 60_000);
    await createProject(ask, 'meanwhile');
  });
  expect((await paused)?.statusCode).toBe(200);
  const { rows } = await sql<{ types: string[] }>`
    select array_agg(type order by id) as types from events
    where type in ('project-created', 'addon-config-updated') and project is distinct from 'default'`.execute(
    db,
  );
  expect(rows[0]?.types).toEqual(['project-created', 'addon-config-updated']);
});
