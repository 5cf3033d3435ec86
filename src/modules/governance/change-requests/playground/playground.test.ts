import { expect, test } from 'vitest';
import { testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { person } from '../../../../../test/support/people.ts';

test('the playground evaluates features as if a request were applied, and changes nothing', async () => {
  const app = await testApp();
  const ada = await person(app);
  await make(app.ask).feature('tried');
  const { id } = (
    await ada.ask('POST /api/admin/projects/default/environments/production/change-requests', {
      payload: [
        {
          feature: 'tried',
          action: 'addStrategy',
          payload: {
            name: 'default',
            constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }],
          },
        },
        { feature: 'tried', action: 'updateEnabled', payload: { enabled: true } },
      ],
    })
  ).json();
  const evaluate = (context: object) =>
    ada.ask(`POST /api/admin/playground/change-request/${id}`, { payload: { context } });
  const refused = await evaluate({});
  expect([refused.statusCode, refused.json().name]).toEqual([403, 'InvalidOperationError']);
  await ada.ask(`PUT /api/admin/projects/default/change-requests/${id}/state`, {
    payload: { state: 'In review' },
  });
  const { features } = (await evaluate({ userId: '7,8' })).json();
  expect(features).toMatchObject([
    { name: 'tried', environments: { production: [{ isEnabled: true }, { isEnabled: false }] } },
  ]);
  const { environments } = (await app.ask('GET /api/admin/projects/default/features/tried')).json();
  expect(environments[1]).toMatchObject({ name: 'production', enabled: false, strategies: [] });
  expect(
    (await ada.ask('POST /api/admin/playground/change-request/99', { payload: { context: {} } }))
      .statusCode,
  ).toBe(404);
});
