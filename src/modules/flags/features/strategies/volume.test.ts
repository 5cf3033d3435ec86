import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';

let app: TestApp;
let at: string;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).feature('heavy');
  at = '/api/admin/projects/default/features/heavy/environments/development';
});

const json = { 'content-type': 'application/json' };

describe('the size limit', () => {
  test('rejects a strategy larger than 128 kB, whether it is added or grows through a patch', async () => {
    const strategy = (characters: number) => ({
      name: 'userWithId',
      parameters: { userIds: 'u'.repeat(characters) },
    });
    const add = (characters: number) =>
      app.ask(`POST ${at}/strategies`, { payload: strategy(characters) });
    const refused = await add(131_073);
    expect([refused.statusCode, refused.json().details[0].path]).toEqual([400, '/body']);
    const added = await add(100_000);
    expect(added.statusCode).toBe(200);
    const grown = await app.ask(`PATCH ${at}/strategies/${added.json().id}`, {
      payload: [{ op: 'add', path: '/parameters/more', value: 'm'.repeat(50_000) }],
    });
    expect(grown.statusCode).toBe(400);
    expect(await recordedBy(app.db, grown)).toEqual([]);
  });

  test('rejects large variants', async () => {
    const value = 'v'.repeat(140_000);
    const payload = [{ name: 'a', weight: 1, payload: { type: 'string', value } }];
    expect((await app.ask(`PUT ${at}/variants`, { payload })).statusCode).toBe(400);
  });

  test('rejects copying or removing too much in one request', async () => {
    await make(app.ask).feature('copied');
    await app.db
      .insertInto('feature_strategies')
      .columns([
        ...(['id', 'feature_name', 'environment', 'name', 'disabled', 'sort_order'] as const),
        ...(['parameters', 'constraints', 'variants', 'created_at'] as const),
      ])
      .expression(
        sql`select gen_random_uuid()::text, 'copied', 'production', 'userWithId', false, nth,
          json_build_object('userIds', repeat('u', 120000)), '[]', '[]', now() from generate_series(1, 300) nth`,
      )
      .execute();
    const project = '/api/admin/projects/default';
    for (const [request, payload] of [
      [`POST ${project}/features/copied/clone`, { name: 'copy' }],
      ['POST /api/admin/environments/production/clone', { name: 'more', type: 'test' }],
      [`DELETE ${project}/environments/production`, undefined],
    ] as const) {
      const refused = await app.ask(request, payload && { payload });
      expect([request, refused.statusCode, refused.json().name]).toEqual([
        ...[request, 403, 'InvalidOperationError'],
      ]);
    }
    await app.db.deleteFrom('features').where('name', '=', 'copied').execute();
  });

  test('rejects a long description', async () => {
    const payload = { description: 'd'.repeat(10_001) };
    const feature = '/api/admin/projects/default/features/heavy' as const;
    expect((await app.ask(`PUT ${feature}`, { payload })).statusCode).toBe(400);
  });
});

test('negative zero equals zero, so that nothing is recorded', async () => {
  const { id } = (await make(app.ask).strategy('heavy', { name: 'default', sortOrder: 0 })) as {
    id: string;
  };
  const response = await app.ask(`PUT ${at}/strategies/${id}`, {
    payload: '{"name":"default","sortOrder":-0}',
    headers: json,
  });
  expect(response.statusCode).toBe(200);
  expect(await recordedBy(app.db, response)).toEqual([]);

  const variants = (weight: string) =>
    `[{"name":"a","weightType":"fix","weight":1000},{"name":"b","weightType":"fix","weight":${weight}}]`;
  const put = (weight: string) =>
    app.ask(`PUT ${at}/variants`, { payload: variants(weight), headers: json });
  expect(await recordedBy(app.db, await put('0'))).toHaveLength(1);
  expect(await recordedBy(app.db, await put('-0'))).toEqual([]);
});
