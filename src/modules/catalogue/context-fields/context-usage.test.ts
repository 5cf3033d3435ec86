import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { make } from '../../../../test/support/make.ts';

let app: TestApp;
/** The strategies that use the field, in the order of the response. */
let used: { projectId: string; featureName: string; environment: string; id: unknown }[];

const asking = { constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }] };

beforeAll(async () => {
  app = await testApp();
  const { project, feature, strategy } = make(app.ask);
  await app.ask('POST /api/admin/context', { payload: { name: 'region' } });
  await project('shop');
  for (const name of ['a-first', 'b-second', 'c-archived', 'd-other']) await feature(name);
  await feature('e-shop', { project: 'shop' });

  const twice = { constraints: [...asking.constraints, ...asking.constraints] };
  const inDevelopment = await strategy('a-first', twice);
  const inProduction = await strategy('a-first', asking, { environment: 'production' });
  const second = await strategy('b-second', asking);
  await strategy('c-archived', asking);
  await strategy('d-other', { constraints: [{ contextName: 'userId', operator: 'IN' }] });
  const inShop = await strategy('e-shop', asking, { project: 'shop' });
  await app.ask('DELETE /api/admin/projects/default/features/c-archived');

  const place = (projectId: string, featureName: string, environment: string, id: unknown) => ({
    projectId,
    featureName,
    strategyName: 'flexibleRollout',
    id,
    environment,
  });
  used = [
    place('default', 'a-first', 'development', inDevelopment.id),
    place('default', 'a-first', 'production', inProduction.id),
    place('default', 'b-second', 'development', second.id),
    place('shop', 'e-shop', 'development', inShop.id),
  ];
});

const usage = '/api/admin/context/region/strategies';

test('a context field lists each strategy of an active feature that uses it once', async () => {
  const response = await app.ask(`GET ${usage}`);
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ strategies: used });
});

test('a context field has the number of active features and projects that use it', async () => {
  const counts = { usedInFeatures: 3, usedInProjects: 2 };
  expect((await app.ask('GET /api/admin/context/region')).json()).toMatchObject(counts);
  const fields = (await app.ask('GET /api/admin/context')).json();
  const findField = (name: string) => fields.find((field: { name: string }) => field.name === name);
  expect(findField('region')).toMatchObject(counts);
  expect(findField('userId')).toMatchObject({ usedInFeatures: 1, usedInProjects: 1 });
  expect(findField('appName')).toMatchObject({ usedInFeatures: 0, usedInProjects: 0 });
});

test('usage in projects that the caller cannot see is neither listed nor counted', async () => {
  const limited = limitedApp(app, { sees: new Set(['shop']) });
  expect((await limited.ask(`GET ${usage}`)).json()).toEqual({
    strategies: used.filter(({ projectId }) => projectId === 'shop'),
  });
  expect((await limited.ask('GET /api/admin/context/region')).json()).toMatchObject({
    usedInFeatures: 1,
    usedInProjects: 1,
  });
});

test('a context field in use can be deleted and its constraints remain', async () => {
  expect((await app.ask('DELETE /api/admin/context/region')).statusCode).toBe(200);
  expect((await app.ask(`GET ${usage}`)).json()).toEqual({ strategies: used });
  const feature = '/api/admin/projects/default/features/b-second';
  const strategies = (await app.ask(`GET ${feature}/environments/development/strategies`)).json();
  expect(strategies).toMatchObject([asking]);
});
