import { expect, test } from 'vitest';
import { testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { strategiesOn } from '../../../../../test/support/strategies.ts';

test('a default strategy whose segment no longer exists is not added, because it would match more users', async () => {
  const app = await testApp();
  const strategies = strategiesOn(app);
  const where = { project: 'lost-segment' };
  await make(app.ask).project('lost-segment');
  await strategies.feature('not-for-all', 'lost-segment');
  const path = '/api/admin/projects/lost-segment/environments/development/default-strategy';
  await app.ask(`POST ${path}`, { payload: { name: 'flexibleRollout' } });
  // This is impossible through the API, which does not delete a segment in use.
  const { strategy } = await app.db
    .selectFrom('project_environments')
    .where('project', '=', 'lost-segment')
    .where('environment', '=', 'development')
    .select('default_strategy as strategy')
    .executeTakeFirstOrThrow();
  await app.db
    .updateTable('project_environments')
    .set({ default_strategy: JSON.stringify({ ...strategy, segments: [999_999] }) })
    .where('project', '=', 'lost-segment')
    .execute();

  const response = await strategies.turn('not-for-all', 'on', '', where);
  expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
  expect(response.json().message).toContain('Segment 999999 not found');
  expect(await strategies.isOn('not-for-all', where)).toBe(false);
  expect(await strategies.list('not-for-all', where)).toEqual([]);
});
