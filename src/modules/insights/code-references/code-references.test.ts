import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { countEvents } from '../../../../test/support/recorded.ts';

const at = new Date('2026-03-01T12:00:00.000Z');

let app: TestApp;
let projectCount = 0;
let project: string;
let path: string;
beforeAll(async () => {
  app = await testApp({ clock: () => at });
});
beforeEach(async () => {
  projectCount += 1;
  project = `project-${projectCount}`;
  path = `/api/admin/projects/${project}/code-references`;
  await make(app.ask).project(project);
  for (const name of ['a', 'b']) await make(app.ask).feature(`${project}-${name}`, { project });
});

const reference = (name: string, file = 'src/a.ts', line = 1) => ({
  feature: `${project}-${name}`,
  path: file,
  line,
});
const put = (repository: string, references: readonly object[], more: object = {}) =>
  app.ask(`PUT ${path}`, { payload: { repository, references, ...more } });
const list = async (query = '') => (await app.ask(`GET ${path}${query}`)).json();

describe('a code scan', () => {
  test('stores where features occur in code, and returns unknown names', async () => {
    const found = [reference('a', 'src/a.ts', 2), reference('b'), reference('a')];
    const unknown = { feature: 'nosuch', path: 'src/a.ts', line: 3 };
    const response = await put('web', [...found, unknown, { ...unknown, line: 4 }], {
      commit: 'c0ffee',
    });
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        repository: 'web',
        commit: 'c0ffee',
        scannedAt: at.toISOString(),
        references: 3,
        unknownFeatureCount: 1,
        unknownFeatures: ['nosuch'],
      },
    ]);
    expect(await list()).toEqual({
      scans: [{ repository: 'web', commit: 'c0ffee', scannedAt: at.toISOString(), references: 3 }],
      references: [
        { ...reference('a'), repository: 'web' },
        { ...reference('a', 'src/a.ts', 2), repository: 'web' },
        { ...reference('b'), repository: 'web' },
      ],
      total: 3,
    });
  });

  test('replaces the previous one of the same repository only', async () => {
    await put('web', [reference('a'), reference('b')], { commit: 'one' });
    await put('api', [reference('b')]);
    await put('web', [reference('b', 'other.ts')]);
    const { scans, references } = await list();
    expect(scans).toMatchObject([
      { repository: 'api', commit: null, references: 1 },
      { repository: 'web', commit: null, references: 1 },
    ]);
    expect(references).toEqual([
      { ...reference('b'), repository: 'api' },
      { ...reference('b', 'other.ts'), repository: 'web' },
    ]);
  });

  test('counts a repeated reference once', async () => {
    const outcome = (await put('web', [reference('a'), reference('a')])).json();
    expect([outcome.references, (await list()).total]).toEqual([1, 1]);
  });

  test('can be empty, and can be deleted once', async () => {
    expect((await put('web', [])).json()).toMatchObject({ references: 0 });
    expect((await list()).scans).toHaveLength(1);
    const remove = () => app.ask(`DELETE ${path}?repository=web`);
    expect((await remove()).statusCode).toBe(200);
    expect(await list()).toEqual({ scans: [], references: [], total: 0 });
    const again = await remove();
    expect([again.statusCode, again.json().message]).toEqual([404, `Scan of 'web' not found`]);
  });

  test('treats features of other projects as unknown', async () => {
    await make(app.ask).feature(`${project}-elsewhere`);
    const outcome = (await put('web', [reference('elsewhere')])).json();
    expect(outcome).toMatchObject({ references: 0, unknownFeatures: [`${project}-elsewhere`] });
  });

  test('includes features created in or moved to the project later', async () => {
    const later = reference('later');
    const moved = reference('moved');
    await make(app.ask).feature(moved.feature);
    const outcome = (await put('web', [later, moved, moved])).json();
    expect(outcome).toMatchObject({ references: 0, unknownFeatureCount: 2 });
    expect(await list()).toMatchObject({ scans: [{ references: 0 }], references: [], total: 0 });
    await make(app.ask).feature(later.feature, { project });
    await app.ask(`POST /api/admin/projects/default/features/${moved.feature}/changeProject`, {
      payload: { newProjectId: project },
    });
    expect(await list()).toMatchObject({
      scans: [{ references: 2 }],
      references: [
        { ...later, repository: 'web' },
        { ...moved, repository: 'web' },
      ],
      total: 2,
    });
  });

  test('includes archived features, but not deleted or moved ones', async () => {
    await app.ask(`DELETE /api/admin/projects/${project}/features/${project}-a`);
    await put('web', [reference('a'), reference('b')]);
    expect((await list()).total).toBe(2);
    await app.ask(`DELETE /api/admin/archive/${project}-a`);
    expect((await list()).references).toEqual([{ ...reference('b'), repository: 'web' }]);
    await app.ask(`POST /api/admin/projects/${project}/features/${project}-b/changeProject`, {
      payload: { newProjectId: 'default' },
    });
    expect(await list()).toMatchObject({ scans: [{ references: 0 }], references: [], total: 0 });
  });

  test('records no events', async () => {
    const before = await countEvents(app.db);
    await put('web', [reference('a')]);
    await app.ask(`DELETE ${path}?repository=web`);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('can be large, and is stored completely when several run concurrently', async () => {
    const many = (file: string) =>
      Array.from({ length: 10_000 }, (_, index) => reference('a', file, index + 1));
    const files = ['one.ts', 'two.ts', 'three.ts'];
    const answers = await Promise.all(files.map((file) => put('web', many(file))));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const { references, total } = await list('?limit=1000');
    expect(total).toBe(10_000);
    expect(new Set(references.map((each: { path: string }) => each.path)).size).toBe(1);
  });

  test('succeeds while a feature is deleted', async () => {
    for (let index = 0; index < 5; index += 1) {
      const name = `short-lived-${index}`;
      await make(app.ask).feature(`${project}-${name}`, { project });
      await app.ask(`DELETE /api/admin/projects/${project}/features/${project}-${name}`);
      const [scan, gone] = await Promise.all([
        put('web', [reference(name)]),
        app.ask(`DELETE /api/admin/archive/${project}-${name}`),
      ]);
      expect([scan.statusCode, gone.statusCode]).toEqual([200, 200]);
      expect((await list()).total).toBe(0);
    }
  });

  test.each<[string, object, string]>([
    ['without a repository', { references: [] }, '/body/repository'],
    ['of an empty repository', { repository: '', references: [] }, '/body/repository'],
    ['without references', { repository: 'web' }, '/body/references'],
    [
      'with line 0',
      { repository: 'web', references: [{ feature: 'a', path: 'a', line: 0 }] },
      '/body/references/0/line',
    ],
    [
      'without a path',
      { repository: 'web', references: [{ feature: 'a', line: 1 }] },
      '/body/references/0/path',
    ],
    [
      'with a NUL in a path',
      { repository: 'web', references: [{ feature: 'a', path: 'a\0', line: 1 }] },
      '/body/references/0/path',
    ],
    [
      'with 10,001 references',
      {
        repository: 'web',
        references: Array.from({ length: 10_001 }, () => ({ feature: 'a', path: 'a', line: 1 })),
      },
      '/body/references',
    ],
  ])('%s is rejected with 400', async (_what, payload, where) => {
    const response = await app.ask(`PUT ${path}`, { payload });
    expect([response.statusCode, response.json().details[0].path]).toEqual([400, where]);
  });

  test('can have names of the maximum length', async () => {
    const long = '𝔘'.repeat(100);
    const payload = { ...reference('a', '𝔘'.repeat(1000)), line: 2_147_483_647 };
    expect((await put(`${long}${long}`, [payload])).statusCode).toBe(200);
    expect((await list()).references).toEqual([{ ...payload, repository: `${long}${long}` }]);
  });

  test('requires only UPDATE_FEATURE in the project, for example of a service account', async () => {
    const role = await customRole(app, 'custom', [{ name: 'UPDATE_FEATURE' }]);
    const pipeline = await person(app, { kind: 'service account', roles: { [project]: role } });
    const viewer = await person(app);
    const payload = { repository: 'web', references: [] };
    expect((await pipeline.ask(`PUT ${path}`, { payload })).statusCode).toBe(200);
    const refused = await viewer.ask(`PUT ${path}`, { payload });
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      expect.stringContaining('UPDATE_FEATURE'),
    ]);
    expect((await viewer.ask(`DELETE ${path}?repository=web`)).statusCode).toBe(403);
    expect((await viewer.ask(`GET ${path}`)).statusCode).toBe(200);
  });

  test('is rejected with 403 beyond 500 repositories per project', async () => {
    await app.db
      .insertInto('code_scans')
      .values(
        Array.from({ length: 500 }, (_, index) => ({
          project,
          repository: `repository-${index}`,
          commit: null,
          scanned_at: at,
        })),
      )
      .execute();
    const response = await put('one-more', []);
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect((await put('repository-7', [reference('a')])).statusCode).toBe(200);
  });
});

describe('the list of code references', () => {
  beforeEach(async () => {
    await put('web', [reference('a'), reference('b'), reference('b', 'src/b.ts', 7)]);
    await put('api', [reference('b')]);
  });

  const placesOf = async (query: string) => {
    const { references, total } = await list(query);
    return [
      total,
      ...references.map(
        (each: { feature: string; repository: string; path: string; line: number }) =>
          `${each.feature.at(-1)} ${each.repository} ${each.path}:${each.line}`,
      ),
    ];
  };

  test('is sorted by feature, repository, path and line, and paginated', async () => {
    const all = ['a web src/a.ts:1', 'b api src/a.ts:1', 'b web src/a.ts:1', 'b web src/b.ts:7'];
    expect(await placesOf('')).toEqual([4, ...all]);
    expect(await placesOf('?limit=1&offset=1')).toEqual([4, all[1]]);
    expect(await placesOf('?offset=4')).toEqual([4]);
  });

  test('can be filtered by feature and repository', async () => {
    expect(await placesOf(`?feature=${project}-a`)).toEqual([1, 'a web src/a.ts:1']);
    expect(await placesOf('?repository=api')).toEqual([1, 'b api src/a.ts:1']);
    expect(await placesOf(`?repository=api&feature=${project}-a`)).toEqual([0]);
    expect(await placesOf('?repository=nosuch')).toEqual([0]);
  });

  test.each(['limit=0', 'offset=-1', 'feature=a&feature=b'])('rejects %s', async (query) => {
    expect((await app.ask(`GET ${path}?${query}`)).statusCode).toBe(400);
  });

  test('returns 404 for an archived or unknown project', async () => {
    for (const name of ['a', 'b']) {
      await app.ask(`DELETE /api/admin/projects/${project}/features/${project}-${name}`);
    }
    await app.ask(`POST /api/admin/projects/archive/${project}`);
    expect((await put('web', [])).statusCode).toBe(404);
    const archived = await app.ask(`GET ${path}`);
    expect([archived.statusCode, archived.json().name]).toEqual([404, 'NotFoundError']);
    expect((await app.ask('GET /api/admin/projects/nosuch/code-references')).statusCode).toBe(404);
  });
});
