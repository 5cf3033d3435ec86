import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { askedDuring } from '../../../../../test/support/locks.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';

const admin = '/api/admin';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const cloneAll = (payload: object, { project = 'default', query = '' } = {}) =>
  app.ask(`POST ${admin}/projects/${project}/features/clone${query}`, { payload });

const copiesOf = (feature: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ feature, name: `${feature}-${index}` }));

describe('cloning a list of features', () => {
  test('is rejected if it would write too much, also as a dry run, and leaves nothing behind', async () => {
    await make(app.ask).feature('heavy');
    const userIds = 'u'.repeat(120_000);
    await make(app.ask).strategy('heavy', { name: 'userWithId', parameters: { userIds } });
    const before = await countEvents(app.db);
    for (const query of ['', '?dryRun=true']) {
      const response = await cloneAll({ features: copiesOf('heavy', 300) }, { query });
      expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
      expect(response.json().message).toContain('several requests');
    }
    expect(await countEvents(app.db)).toBe(before);
    expect((await cloneAll({ features: copiesOf('heavy', 20) })).statusCode).toBe(200);
  });

  test('reports the position of a name that does not match the naming pattern', async () => {
    await make(app.ask).feature('named');
    await make(app.ask).project('strict', { featureNaming: { pattern: 'ok-.*' } });
    const features = [
      { feature: 'named', name: 'ok-1' },
      { feature: 'named', name: 'not-ok' },
    ];
    const response = await cloneAll({ features }, { project: 'strict' });
    expect([response.statusCode, response.json().name]).toEqual([400, 'PatternError']);
    expect(response.json().details).toMatchObject([{ path: '/body/features/1/name' }]);
  });
});

test('cloning waits for a segment that is being moved to another project and omits it', async () => {
  const create = make(app.ask);
  await create.project('owner');
  await create.feature('segmented', { project: 'owner' });
  const { id } = await create.segment('wandering');
  await create.strategy('segmented', { segments: [id] }, { project: 'owner' });

  // Another request is moving the segment to the project 'owner'; the clone must wait for it.
  const { waited, response } = await askedDuring(
    app,
    async (tx) => {
      const segment = tx.db.selectFrom('segments').where('id', '=', id).select('id');
      await segment.forUpdate().executeTakeFirstOrThrow();
      await tx.db.updateTable('segments').set({ project: 'owner' }).where('id', '=', id).execute();
    },
    () =>
      app.ask(`POST ${admin}/projects/default/features/segmented/clone`, {
        payload: { name: 'copy-of-segmented' },
      }),
  );
  expect(waited).toBe(true);
  const copy = response.json();
  expect(copy.environments[0].strategies[0].segments).toEqual([]);
  expect(copy.notCopied).toMatchObject([{ what: "segment 'wandering'" }]);
});
