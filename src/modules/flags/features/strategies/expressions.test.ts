import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { frontendToken } from '../../../../../test/support/tokens.ts';

let app: TestApp;
const at = '/api/admin/projects/default/features/stored/environments/development/strategies';
const matching = (value: string) => ({ contextName: 'userId', operator: 'REGEX', value });
/** More and larger ones than are allowed now. */
const old = Array.from({ length: 30 }, (_, nth) => ({
  ...{ ...matching(`(a|b)*?(a(a|b){900})[c${nth}]`), values: [] },
  ...{ inverted: true, caseInsensitive: false },
}));
let id: string;

beforeAll(async () => {
  app = await testApp();
  await make(app.ask).feature('stored');
  const created = await app.ask(`POST ${at}`, { payload: { name: 'default' } });
  id = created.json().id;
  await app.db
    .updateTable('feature_strategies')
    .set({ constraints: JSON.stringify(old) })
    .where('id', '=', id)
    .execute();
  await app.ask('POST /api/admin/projects/default/features/stored/environments/development/on');
});

describe('a strategy of an older version with more regular expressions than are allowed', () => {
  test('can be read, exported, validated, imported and cloned unchanged', async () => {
    expect((await app.ask(`GET ${at}/${id}`)).json().constraints).toEqual(old);
    const exported = await app.ask('POST /api/admin/features-batch/export', {
      payload: { environment: 'development', features: ['stored'] },
    });
    const data = exported.json();
    expect(data.featureStrategies[0].constraints).toEqual(old);
    for (const feature of data.features) feature.name = 'imported';
    for (const part of [...data.featureStrategies, ...data.featureEnvironments]) {
      part.featureName = 'imported';
    }
    const payload = { project: 'default', environment: 'development', data };
    const plan = await app.ask('POST /api/admin/features-batch/validate', { payload });
    expect([plan.statusCode, plan.json().errors]).toEqual([200, []]);
    expect(plan.json().warnings).toContainEqual({
      message: expect.stringContaining('Too many or too complex regular expressions'),
      affectedItems: ['imported'],
    });
    const imported = await app.ask('POST /api/admin/features-batch/import', { payload });
    expect(imported.statusCode).toBe(200);
    const cloned = await app.ask('POST /api/admin/projects/default/features/stored/clone', {
      payload: { name: 'cloned' },
    });
    expect(cloned.statusCode).toBe(200);
  });

  test('can be changed while it keeps them, but none can be added', async () => {
    const renamed = await app.ask(`PATCH ${at}/${id}`, {
      payload: [{ op: 'add', path: '/title', value: 'old' }],
    });
    expect([renamed.statusCode, renamed.json().title]).toEqual([200, 'old']);
    const more = await app.ask(`PUT ${at}/${id}`, {
      payload: { constraints: [...old.slice(1), matching('new')] },
    });
    expect([more.statusCode, more.json().details[0].message]).toEqual([
      400,
      '/body/constraints has 30 REGEX constraints; at most 3 are allowed',
    ]);
  });

  test('matches no user and does not affect other features', async () => {
    await make(app.ask).feature('plain');
    await app.ask('POST /api/admin/projects/default/features/plain/environments/development/on');
    const answer = await app.ask(`GET /api/frontend?userId=${'ab'.repeat(500)}`, {
      headers: { authorization: frontendToken },
    });
    expect(answer.json().toggles.map(({ name }: { name: string }) => name)).toEqual(['plain']);
  });
});
