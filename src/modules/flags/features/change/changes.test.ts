import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { distinctPathsOf } from '../../../../../test/support/faults.ts';
import { facts, now } from '../../../../../test/support/features.ts';
import { make } from '../../../../../test/support/make.ts';
import { bare, recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: () => new Date(now) });
});

const features = '/api/admin/projects/default/features';
const create = (name: string, more: object = {}) => make(app.ask).feature(name, { ...more });
const read = async (name: string) => (await app.ask(`GET ${features}/${name}`)).json();
const put = (name: string, payload: object) => app.ask(`PUT ${features}/${name}`, { payload });
const patch = (name: string, payload: unknown) =>
  app.ask(`PATCH ${features}/${name}`, { payload: payload as object });
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });
const updated = (name: string, preData: object, data: object, tags: object[] = []) =>
  bare('feature-metadata-updated', name, {
    data: facts(name, data),
    preData: facts(name, preData),
    tags,
  });

describe('changing a feature by PUT', () => {
  test('changes what is named, keeps the rest, and answers with all of it', async () => {
    const tags = [{ type: 'simple', value: 'kept' }];
    const before = await create('put', { description: 'Before', impressionData: true, tags });
    const response = await put('put', {
      description: 'After',
      type: 'kill-switch',
      name: 'ignored',
      project: 'ignored',
      archived: false,
      createdAt: '1999-01-01T00:00:00Z',
      variants: [],
    });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ ...before, description: 'After', type: 'kill-switch' });
    expect(await read('put')).toEqual(response.json());
    const kept = { impressionData: true };
    expect(await recordedAboutFeatures(app.db, response)).toEqual([
      updated(
        'put',
        { ...kept, description: 'Before' },
        { ...kept, description: 'After', type: 'kill-switch' },
        tags,
      ),
    ]);
  });

  test('that flips the stale mark records that too', async () => {
    await create('put-stale');
    const response = await put('put-stale', { stale: true });
    expect(response.json()).toMatchObject({ stale: true });
    expect(await recordedAboutFeatures(app.db, response)).toEqual([
      updated('put-stale', {}, { stale: true }),
      bare('feature-stale-on', 'put-stale'),
    ]);
    const back = await put('put-stale', { stale: false });
    expect(await recordedAboutFeatures(app.db, back)).toEqual([
      updated('put-stale', { stale: true }, {}),
      bare('feature-stale-off', 'put-stale'),
    ]);
  });

  test('null clears the description', async () => {
    await create('cleared', { description: 'Before' });
    expect((await put('cleared', { description: null })).json().description).toBeNull();
  });

  test('into what it already is records nothing', async () => {
    await create('same', { description: 'Same', stale: true });
    for (const payload of [
      {},
      { description: 'Same', stale: true },
      { type: 'release', impressionData: false },
    ]) {
      const response = await put('same', payload);
      expect(response.statusCode).toBe(200);
      expect(await recordedAboutFeatures(app.db, response)).toEqual([]);
    }
  });

  test('names every fault, and an unknown type', async () => {
    await create('faulty');
    const payload = { description: 7, type: '', stale: 'true', impressionData: null };
    expect(new Set(distinctPathsOf(await put('faulty', payload)))).toEqual(
      new Set(['/body/description', '/body/type', '/body/stale', '/body/impressionData']),
    );
    const unknown = await put('faulty', { type: 'nosuch', description: 'New' });
    expect([unknown.statusCode, distinctPathsOf(unknown)]).toEqual([400, ['/body/type']]);
    expect(await read('faulty')).toMatchObject({ type: 'release', description: null });
  });
});

describe('changing a feature by PATCH', () => {
  beforeAll(async () => {
    for (const name of ['refusing', 'moving', 'sound']) await create(name);
  });

  test('applies a JSON Patch, of either content type', async () => {
    const before = await create('patched', { description: 'Before' });
    const operations = [
      { op: 'test', path: '/description', value: 'Before' },
      replace('/description', 'After'),
      { op: 'add', path: '/impressionData', value: true },
      { op: 'copy', from: '/impressionData', path: '/stale' },
      replace('/stale', false),
    ];
    const response = await patch('patched', operations);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ ...before, description: 'After', impressionData: true });
    expect(await recordedAboutFeatures(app.db, response)).toEqual([
      updated('patched', { description: 'Before' }, { description: 'After', impressionData: true }),
    ]);
    const typed = await app.ask(`PATCH ${features}/patched`, {
      payload: JSON.stringify([replace('/type', 'experiment')]),
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expect(typed.json()).toMatchObject({ type: 'experiment', description: 'After' });
  });

  test('records a flipped stale mark next to the change', async () => {
    await create('patch-stale');
    const on_ = await patch('patch-stale', [replace('/stale', true)]);
    expect(await recordedAboutFeatures(app.db, on_)).toEqual([
      updated('patch-stale', {}, { stale: true }),
      bare('feature-stale-on', 'patch-stale'),
    ]);
    const off = await patch('patch-stale', [replace('/stale', false)]);
    expect(await recordedAboutFeatures(app.db, off)).toEqual([
      updated('patch-stale', { stale: true }, {}),
      bare('feature-stale-off', 'patch-stale'),
    ]);
  });

  test('a description that is removed, or null, is as if it had never been given', async () => {
    await create('undescribed', { description: 'Before' });
    const removed = await patch('undescribed', [{ op: 'remove', path: '/description' }]);
    expect(removed.json().description).toBeNull();
    await put('undescribed', { description: 'Again' });
    const nulled = await patch('undescribed', [replace('/description', null)]);
    expect(nulled.json().description).toBeNull();
  });

  test('that changes nothing records nothing', async () => {
    await create('unpatched');
    const patches = [
      [],
      [replace('/description', null)],
      [replace('/stale', true), replace('/stale', false)],
      [{ op: 'test', path: '/type', value: 'release' }],
    ];
    for (const operations of patches) {
      const response = await patch('unpatched', operations);
      expect(response.statusCode).toBe(200);
      expect(await recordedAboutFeatures(app.db, response)).toEqual([]);
    }
  });

  test.each([
    ['/variants', 'replace'],
    ['/variants/0/weight', 'replace'],
    ['/name', 'replace'],
    ['/archived', 'add'],
    ['/descriptions', 'add'],
    ['/__proto__/polluted', 'add'],
    ['/constructor', 'add'],
    ['', 'replace'],
    ['/', 'add'],
  ])('the path %j is refused, and the operation is named', async (path, op) => {
    const response = await patch('refusing', [
      replace('/description', 'Never'),
      { op, path, value: true },
    ]);
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      { path: '/body/1/path', message: expect.stringContaining(`(${op} '${path}')`) },
    ]);
    expect(await read('refusing')).toMatchObject({ description: null });
  });

  test('what is copied or moved from elsewhere is refused too', async () => {
    const response = await patch('moving', [
      { op: 'move', from: '/name', path: '/description' },
      { op: 'copy', from: '/variants', path: '/tags' },
    ]);
    expect(distinctPathsOf(response)).toEqual(['/body/0/from', '/body/1/path', '/body/1/from']);
  });

  test.each([
    ['a type that there is none of', [replace('/type', 'nosuch')], ['/body/type']],
    ['a type that is no text', [replace('/type', 7)], ['/body/type']],
    ['no type', [{ op: 'remove', path: '/type' }], ['/body/type']],
    [
      'no marks',
      [
        { op: 'remove', path: '/stale' },
        { op: 'remove', path: '/impressionData' },
      ],
      ['/body/stale', '/body/impressionData'],
    ],
    ['a mark that is no boolean', [replace('/stale', 'true')], ['/body/stale']],
    ['a description that is no text', [replace('/description', {})], ['/body/description']],
    ['something below a text', [{ op: 'add', path: '/type/x', value: 1 }], ['/body/0']],
    ['a letter of a text', [replace('/type/0', 'R')], ['/body/0']],
    ['the length of a text', [{ op: 'remove', path: '/type/length' }], ['/body/0']],
    ['a test that fails', [{ op: 'test', path: '/stale', value: true }], ['/body/0']],
    ['an operation without its value', [{ op: 'replace', path: '/stale' }], ['/body/0/value']],
    ['an operation without its source', [{ op: 'move', path: '/stale' }], ['/body/0/from']],
    ['an operation that there is none of', [{ op: 'swap', path: '/stale' }], ['/body/0/op']],
    ['an operation without a path', [{ op: 'remove' }], ['/body/0/path']],
    ['a path that is no pointer', [{ op: 'remove', path: 'stale' }], ['/body/0/path']],
    ['no object', [null], ['/body/0']],
    ['a text', ['remove'], ['/body/0']],
    ['a list', [[]], ['/body/0']],
    ['no list', { op: 'remove', path: '/stale' }, ['/body']],
  ])('%s is a fault', async (_what, operations, paths) => {
    const response = await patch('sound', operations);
    expect(response.statusCode).toBe(400);
    expect(response.json().name).toBe('BadDataError');
    expect(distinctPathsOf(response)).toEqual(expect.arrayContaining(paths));
    expect(await read('sound')).toMatchObject({ type: 'release', stale: false, description: null });
  });
});

describe('a feature that cannot be changed', () => {
  test('because it is not there, archived, or elsewhere answers 404', async () => {
    await make(app.ask).project('elsewhere');
    await make(app.ask).feature('afar', { project: 'elsewhere' });
    await create('shelved');
    await app.ask(`DELETE ${features}/shelved`);
    for (const name of ['nosuch', 'afar', 'shelved']) {
      for (const response of [
        await put(name, { description: 'New' }),
        await patch(name, [replace('/description', 'New')]),
      ]) {
        expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
        expect(await recordedAboutFeatures(app.db, response)).toEqual([]);
      }
    }
  });
});

describe('marking several features as stale', () => {
  const mark = (payload: object, project = 'default') =>
    app.ask(`POST /api/admin/projects/${project}/stale`, { payload });

  test('records only those that change, in the order of their names', async () => {
    await create('mark-c', { tags: [{ type: 'simple', value: 'tagged' }] });
    await create('mark-b', { stale: true });
    await create('mark-a');
    const names = ['mark-c', 'mark-b', 'mark-a', 'mark-c'];
    const response = await mark({ features: names, stale: true });
    expect([response.statusCode, response.body]).toEqual([202, '']);
    expect(await recordedAboutFeatures(app.db, response)).toEqual([
      bare('feature-stale-on', 'mark-a'),
      bare('feature-stale-on', 'mark-c', { tags: [{ type: 'simple', value: 'tagged' }] }),
    ]);
    for (const name of names) expect(await read(name)).toMatchObject({ stale: true });
    const again = await mark({ features: names, stale: true });
    expect(again.statusCode).toBe(202);
    expect(await recordedAboutFeatures(app.db, again)).toEqual([]);
    const back = await mark({ features: ['mark-b'], stale: false });
    expect(await recordedAboutFeatures(app.db, back)).toEqual([
      bare('feature-stale-off', 'mark-b'),
    ]);
  });

  test('of none changes nothing', async () => {
    const response = await mark({ features: [], stale: true });
    expect(response.statusCode).toBe(202);
    expect(await recordedAboutFeatures(app.db, response)).toEqual([]);
  });

  test('marks none of them when one is not there', async () => {
    await create('mark-alone');
    const response = await mark({ features: ['mark-alone', 'nosuch'], stale: true });
    expect([response.statusCode, distinctPathsOf(response)]).toEqual([400, ['/body/features/1']]);
    expect(await read('mark-alone')).toMatchObject({ stale: false });
  });

  test.each([
    [{ features: ['mark-a'] }, ['/body/stale']],
    [{ stale: true }, ['/body/features']],
    [{ features: 'mark-a', stale: true }, ['/body/features']],
    [
      { features: [7, null], stale: 'yes' },
      ['/body/features/0', '/body/features/1', '/body/stale'],
    ],
    [{ features: Array<string>(1001).fill('a'), stale: true }, ['/body/features']],
  ])('faults of the body are named: %#', async (payload, paths) => {
    const response = await mark(payload);
    expect([response.statusCode, new Set(distinctPathsOf(response))]).toEqual([
      400,
      new Set(paths),
    ]);
  });
});
