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
  test('changes the given properties, keeps the rest and returns the complete feature', async () => {
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

  test('also records a change of the stale state', async () => {
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

  test('clears the description with null', async () => {
    await create('cleared', { description: 'Before' });
    expect((await put('cleared', { description: null })).json().description).toBeNull();
  });

  test('records nothing if nothing changes', async () => {
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

  test('reports all validation errors, and an unknown type', async () => {
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

  test('applies a JSON Patch with either content type', async () => {
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

  test('also records a change of the stale state', async () => {
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

  test('stores null for a description that is removed or set to null', async () => {
    await create('undescribed', { description: 'Before' });
    const removed = await patch('undescribed', [{ op: 'remove', path: '/description' }]);
    expect(removed.json().description).toBeNull();
    await put('undescribed', { description: 'Again' });
    const nulled = await patch('undescribed', [replace('/description', null)]);
    expect(nulled.json().description).toBeNull();
  });

  test('records nothing if nothing changes', async () => {
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
  ])('rejects the path %j and quotes it', async (path, op) => {
    const response = await patch('refusing', [
      replace('/description', 'Never'),
      { op, path, value: true },
    ]);
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      { path: '/body/1/path', message: expect.stringContaining(`'${path}' can't be patched`) },
    ]);
    expect(await read('refusing')).toMatchObject({ description: null });
  });

  test('rejects copying or moving from other paths', async () => {
    const response = await patch('moving', [
      { op: 'move', from: '/name', path: '/description' },
      { op: 'copy', from: '/variants', path: '/tags' },
    ]);
    expect(distinctPathsOf(response)).toEqual(['/body/0/from', '/body/1/path', '/body/1/from']);
  });

  test.each([
    ['an unknown type', [replace('/type', 'nosuch')], ['/body/type']],
    ['a type that is not a string', [replace('/type', 7)], ['/body/type']],
    ['removing the type', [{ op: 'remove', path: '/type' }], ['/body/type']],
    [
      'removing the stale state and impression data',
      [
        { op: 'remove', path: '/stale' },
        { op: 'remove', path: '/impressionData' },
      ],
      ['/body/stale', '/body/impressionData'],
    ],
    ['a stale state that is not a boolean', [replace('/stale', 'true')], ['/body/stale']],
    ['a description that is not a string', [replace('/description', {})], ['/body/description']],
    ['a path below a string', [{ op: 'add', path: '/type/x', value: 1 }], ['/body/0']],
    ['a character of a string', [replace('/type/0', 'R')], ['/body/0']],
    ['the length of a string', [{ op: 'remove', path: '/type/length' }], ['/body/0']],
    ['a test that fails', [{ op: 'test', path: '/stale', value: true }], ['/body/0']],
    ['an operation without its value', [{ op: 'replace', path: '/stale' }], ['/body/0/value']],
    ['an operation without its source', [{ op: 'move', path: '/stale' }], ['/body/0/from']],
    ['an unknown operation', [{ op: 'swap', path: '/stale' }], ['/body/0/op']],
    ['an operation without a path', [{ op: 'remove' }], ['/body/0/path']],
    ['a path that is not a JSON pointer', [{ op: 'remove', path: 'stale' }], ['/body/0/path']],
    ['null as an operation', [null], ['/body/0']],
    ['a string as an operation', ['remove'], ['/body/0']],
    ['a list as an operation', [[]], ['/body/0']],
    ['a body that is not a list', { op: 'remove', path: '/stale' }, ['/body']],
  ])('rejects %s', async (_what, operations, paths) => {
    const response = await patch('sound', operations);
    expect(response.statusCode).toBe(400);
    expect(response.json().name).toBe('BadDataError');
    expect(distinctPathsOf(response)).toEqual(expect.arrayContaining(paths));
    expect(await read('sound')).toMatchObject({ type: 'release', stale: false, description: null });
  });
});

describe('a feature that cannot be changed', () => {
  test('returns 404 if it is unknown, archived or in another project', async () => {
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

  test('records only features that change, ordered by name', async () => {
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

  test('accepts an empty list', async () => {
    const response = await mark({ features: [], stale: true });
    expect(response.statusCode).toBe(202);
    expect(await recordedAboutFeatures(app.db, response)).toEqual([]);
  });

  test('changes nothing if one feature is unknown', async () => {
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
  ])('reports validation errors of the body: %#', async (payload, paths) => {
    const response = await mark(payload);
    expect([response.statusCode, new Set(distinctPathsOf(response))]).toEqual([
      400,
      new Set(paths),
    ]);
  });
});
