import { expect, test } from 'vitest';
import { testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { person } from '../../../../../test/support/people.ts';

const app = await testApp();
const ada = await person(app);

const only = (country: string) => [{ contextName: 'country', operator: 'IN', values: [country] }];

const propose = async (project: string, changes: readonly object[]) =>
  (
    await app.ask(`POST /api/admin/projects/${project}/environments/production/change-requests`, {
      payload: changes,
    })
  ).json();

const previewOf = (
  project: string,
  id: number,
  payload: object = {},
  by: typeof ada | typeof app = app,
) => by.ask(`POST /api/admin/projects/${project}/change-requests/${id}/preview`, { payload });

test('a preview reports who gets a different result, also for given contexts, and changes nothing', async () => {
  await make(app.ask).project('previewed');
  await make(app.ask).feature('sale', { project: 'previewed' });
  const { id } = await propose('previewed', [
    {
      feature: 'sale',
      action: 'addStrategy',
      payload: { name: 'default', constraints: only('NO') },
    },
    { feature: 'sale', action: 'updateEnabled', payload: { enabled: true } },
  ]);
  const contexts = [{ country: ['NO', 'DK'], userId: '7' }];
  const response = await previewOf('previewed', id, { contexts });
  expect([response.statusCode, response.json()]).toEqual([
    200,
    {
      features: [
        {
          name: 'sale',
          project: 'previewed',
          cause: 'change',
          contexts: 4,
          changedContexts: 2,
          groups: [
            {
              before: { enabled: false, explanation: 'Disabled in production.' },
              after: { enabled: true, explanation: expect.stringContaining('matches') },
              payloadChanged: false,
              contexts: 2,
              tried: 1,
              where: [{ contextName: 'country', operator: 'IN', values: ['NO'], more: 0 }],
              example: { environment: 'production', country: 'NO', userId: '7' },
            },
          ],
        },
      ],
      unchanged: [],
      uncertain: [],
      incomplete: [],
      unmatched: [],
      contexts: 4,
      truncated: false,
    },
  ]);
  const feature = await app.ask('GET /api/admin/projects/previewed/features/sale');
  expect(feature.json().environments[1]).toMatchObject({ enabled: false, strategies: [] });
  expect(
    (await previewOf('previewed', id, { contexts: [{ currentTime: 'soon' }] })).statusCode,
  ).toBe(400);
});

test('the preview of a request that creates a feature includes it', async () => {
  const name = 'previewed-copy';
  const { id } = await propose('default', [
    {
      action: 'createFeature',
      payload: {
        name,
        environments: [{ name: 'production', enabled: true, strategies: [{ name: 'default' }] }],
      },
    },
  ]);
  const { features } = (await previewOf('default', id)).json();
  expect(features).toMatchObject([
    {
      name,
      groups: [{ before: { explanation: "The feature doesn't exist." }, after: { enabled: true } }],
    },
  ]);
});

test('the preview of a changed segment includes only features that the reader can see', async () => {
  await make(app.ask).project('shown');
  await make(app.ask).project('hidden', { mode: 'private' });
  const segment = (
    await app.ask('POST /api/admin/segments', {
      payload: { name: 'Nordics', constraints: only('NO') },
    })
  ).json();
  for (const [name, project] of [
    ['seen', 'shown'],
    ['unseen', 'hidden'],
  ] as const) {
    await make(app.ask).feature(name, { project });
    const path = `/api/admin/projects/${project}/features/${name}/environments/production`;
    await app.ask(`POST ${path}/strategies`, {
      payload: { name: 'default', segments: [segment.id] },
    });
    await app.ask(`POST ${path}/on`);
  }
  const { id } = await propose('shown', [
    {
      action: 'updateSegment',
      payload: { id: segment.id, name: 'Nordics', constraints: only('SE') },
    },
  ]);
  await app.ask(`PUT /api/admin/projects/shown/change-requests/${id}/state`, {
    payload: { state: 'In review' },
  });
  const namesFor = async (by: typeof ada | typeof app) =>
    (await previewOf('shown', id, {}, by))
      .json()
      .features.map(({ name, cause }: { name: string; cause: string }) => [name, cause]);
  expect(await namesFor(app)).toEqual([
    ['seen', 'segment'],
    ['unseen', 'segment'],
  ]);
  expect(await namesFor(ada)).toEqual([['seen', 'segment']]);
});

test('the preview of a request that can no longer be applied is rejected with the reason', async () => {
  await make(app.ask).feature('going');
  const { id } = await propose('default', [
    { feature: 'going', action: 'updateEnabled', payload: { enabled: true } },
  ]);
  const move = (state: string) =>
    app.ask(`PUT /api/admin/projects/default/change-requests/${id}/state`, { payload: { state } });
  expect((await previewOf('default', id, {}, ada)).statusCode).toBe(404);
  await move('In review');
  await app.ask('DELETE /api/admin/projects/default/features/going');
  const refused = await previewOf('default', id);
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    { name: 'ConflictError', message: "'going': This feature is archived" },
  ]);
  await move('Cancelled');
  expect((await previewOf('default', id)).json()).toMatchObject({ name: 'InvalidOperationError' });
});
