import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { raceRounds } from '../../../../test/support/random-cases.ts';
import { countEventsAbout } from '../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const projects = '/api/admin/projects';
const features = `${projects}/default/features`;
const create = (name: string, project = 'default') =>
  app.ask(`POST ${projects}/${project}/features`, { payload: { name } });
const read = async (name: string) => (await app.ask(`GET ${features}/${name}`)).json();
const statusesOf = async (requests: readonly ReturnType<TestApp['ask']>[]) =>
  (await Promise.all(requests)).map(({ statusCode }) => statusCode).sort();

describe('concurrent requests', () => {
  test('create a name once, even in several projects', async () => {
    await make(app.ask).project('rival');
    const answers = await statusesOf(
      Array.from({ length: 10 }, (_, index) => create('raced', index % 2 ? 'rival' : 'default')),
    );
    expect(answers).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(await countEventsAbout(app.db, 'raced', 'feature-created')).toBe(1);
  });

  test('create no more features than the limit of the project allows', async () => {
    await make(app.ask).project('limited', { featureLimit: 3 });
    const answers = await statusesOf(
      Array.from({ length: 10 }, (_, index) => create(`limited-${index}`, 'limited')),
    );
    expect(answers).toEqual([201, 201, 201, ...Array<number>(7).fill(403)]);
  });

  test('create and revive no more features than the limit of the project allows', async () => {
    await make(app.ask).project('narrow', { featureLimit: 4 });
    for (const index of [0, 1, 2, 3]) await create(`narrow-${index}`, 'narrow');
    const payload = { features: [0, 1, 2, 3].map((index) => `narrow-${index}`) };
    await app.ask(`POST ${projects}/narrow/archive`, { payload });
    const answers = await statusesOf([
      ...payload.features.map((name) => app.ask(`POST /api/admin/archive/revive/${name}`)),
      ...[4, 5, 6, 7].map((index) => create(`narrow-${index}`, 'narrow')),
    ]);
    expect(answers.filter((status) => status < 300)).toHaveLength(4);
    expect(answers.filter((status) => status === 403)).toHaveLength(4);
    const { features: active } = (await app.ask(`GET ${projects}/narrow/features`)).json();
    expect(active).toHaveLength(4);
  });

  test('all take effect if they change different fields', async () => {
    await create('shared');
    const changes = [
      app.ask(`PUT ${features}/shared`, { payload: { description: 'New' } }),
      app.ask(`PATCH ${features}/shared`, {
        payload: [{ op: 'replace', path: '/impressionData', value: true }],
      }),
      app.ask(`PATCH ${features}/shared`, {
        payload: [{ op: 'replace', path: '/type', value: 'experiment' }],
      }),
      app.ask(`POST ${projects}/default/stale`, { payload: { features: ['shared'], stale: true } }),
    ];
    expect(await statusesOf(changes)).toEqual([200, 200, 200, 202]);
    expect(await read('shared')).toMatchObject({
      description: 'New',
      impressionData: true,
      type: 'experiment',
      stale: true,
    });
  });

  test('record once that a feature is stale', async () => {
    await create('stale-once');
    const payload = { features: ['stale-once'], stale: true };
    const answers = await statusesOf(
      Array.from({ length: 5 }, () => app.ask(`POST ${projects}/default/stale`, { payload })),
    );
    expect(answers).toEqual(Array<number>(5).fill(202));
    expect(await countEventsAbout(app.db, 'stale-once', 'feature-stale-on')).toBe(1);
  });

  test('archive, revive or delete a feature once', async () => {
    await create('contested');
    const five = (request: () => ReturnType<TestApp['ask']>) =>
      statusesOf(Array.from({ length: 5 }, request));
    const gone = Array<number>(4).fill(404);
    expect(await five(() => app.ask(`DELETE ${features}/contested`))).toEqual([202, ...gone]);
    expect(await five(() => app.ask('POST /api/admin/archive/revive/contested'))).toEqual([
      200,
      ...gone,
    ]);
    await app.ask(`DELETE ${features}/contested`);
    expect(await five(() => app.ask('DELETE /api/admin/archive/contested'))).toEqual([
      200,
      ...gone,
    ]);
    expect(await countEventsAbout(app.db, 'contested', 'feature-archived')).toBe(2);
    expect(await countEventsAbout(app.db, 'contested', 'feature-revived')).toBe(1);
    expect(await countEventsAbout(app.db, 'contested', 'feature-deleted')).toBe(1);
  });

  test('do not deadlock when they archive the same features in different orders', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `crossed-${index}`);
    for (const name of names) await create(name);
    for (const [what, opposite] of [
      ['archive', 'revive'],
      ['revive', 'archive'],
    ]) {
      const answers = await statusesOf(
        [names, [...names].reverse(), [...names].sort()].map((list) =>
          app.ask(`POST ${projects}/default/${what}`, { payload: { features: list } }),
        ),
      );
      expect(
        answers.filter((status) => status < 300),
        `${what}, not ${opposite}`,
      ).toHaveLength(1);
      expect(answers.filter((status) => status === 400)).toHaveLength(2);
    }
  });

  test('never both create a feature and archive its project', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      const project = `closing-${round}`;
      await make(app.ask).project(project);
      const [created, archived] = await Promise.all([
        create(`in-${project}`, project),
        app.ask(`POST ${projects}/archive/${project}`),
      ]);
      expect([created.statusCode, archived.statusCode]).toSatisfy(
        ([one, other]: number[]) =>
          (one === 201 && other === 403) || (one === 404 && other === 200),
      );
    }
  });

  test('never both add a child to a parent and archive the parent', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      const [parent, child] = [`mother-${round}`, `daughter-${round}`];
      await create(parent);
      await create(child);
      const payload = { feature: parent };
      const [depended, archived] = await Promise.all([
        app.ask(`POST ${features}/${child}/dependencies`, { payload }),
        app.ask(`DELETE ${features}/${parent}`),
      ]);
      expect([depended.statusCode < 300, archived.statusCode < 300].sort()).toEqual([false, true]);
    }
  });
});
