import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { pathsOf } from '../../../../../test/support/faults.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import {
  variant,
  variantsOn,
  variantsPath,
  variantsUpdated,
} from '../../../../../test/support/variants.ts';

let app: TestApp;
let variantsApi: ReturnType<typeof variantsOn>;
beforeAll(async () => {
  app = await testApp();
  variantsApi = variantsOn(app);
});

describe('a JSON Patch of variants', () => {
  const prepare = async (name: string) => {
    await make(app.ask).feature(name);
    await variantsApi.put(
      name,
      ['a', 'b'].map((each) => ({ name: each, weight: 1 })),
    );
  };

  test('changes the given parts and distributes the weights again', async () => {
    await prepare('patched');
    const before = await variantsApi.kept('patched');
    const response = await variantsApi.patch('patched', [
      { op: 'add', path: '/-', value: { name: 'c', weight: 0 } },
      { op: 'replace', path: '/0/weightType', value: 'fix' },
      { op: 'replace', path: '/0/weight', value: 200 },
      { op: 'add', path: '/1/payload', value: { type: 'csv', value: 'x,y' } },
    ]);
    const variants = [
      variant('a', 200, { weightType: 'fix' }),
      variant('b', 400, { payload: { type: 'csv', value: 'x,y' } }),
      variant('c', 400),
    ];
    expect([response.statusCode, response.json()]).toEqual([200, { version: 1, variants }]);
    expect(await variantsApi.kept('patched')).toEqual(variants);
    expect(await recordedBy(app.db, response)).toEqual([
      variantsUpdated('development', variants, before),
    ]);
  });

  test('records nothing if nothing changes', async () => {
    await prepare('unpatched');
    const responses = [
      await variantsApi.patch('unpatched', []),
      await variantsApi.patch('unpatched', [{ op: 'test', path: '/0/name', value: 'a' }]),
      await variantsApi.patch('unpatched', [{ op: 'replace', path: '/0/weight', value: 3 }]),
    ];
    for (const response of responses) {
      expect(response.statusCode).toBe(200);
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
  });

  test('accepts the content type application/json-patch+json', async () => {
    await prepare('typed');
    const response = await app.ask(`PATCH ${variantsPath('typed')}`, {
      headers: { 'content-type': 'application/json-patch+json' },
      payload: JSON.stringify([{ op: 'remove', path: '/0' }]),
    });
    expect(response.json().variants).toEqual([variant('b')]);
  });

  test.each([
    ['removing a missing variant', [{ op: 'remove', path: '/2' }], '/body/0'],
    ['a test that fails', [{ op: 'test', path: '/0/name', value: 'x' }], '/body/0'],
    ['an operation without a value', [{ op: 'add', path: '/0' }], '/body/0/value'],
    ['null as an operation', [null], '/body/0'],
    ['a name used twice', [{ op: 'replace', path: '/1/name', value: 'a' }], '/variants/1/name'],
    ['a removed name', [{ op: 'remove', path: '/1/name' }], '/variants/1/name'],
    ['a null in the list', [{ op: 'add', path: '/-', value: null }], '/variants/2'],
    [
      'a document that is not a list',
      [{ op: 'replace', path: '', value: { name: 'a' } }],
      '/variants',
    ],
    [
      'an invalid payload',
      [{ op: 'add', path: '/0/payload', value: { type: 'json', value: '{' } }],
      '/variants/0/payload/value',
    ],
    [
      'fixed weights over 1000',
      [0, 1].flatMap((index) => [
        { op: 'replace', path: `/${index}/weightType`, value: 'fix' },
        { op: 'replace', path: `/${index}/weight`, value: 600 },
      ]),
      '/variants',
    ],
  ])('rejects %s and changes nothing', async (what, operations, path) => {
    const name = `unpatchable-${what.replaceAll(' ', '-')}`;
    await prepare(name);
    const before = await countEvents(app.db);
    const response = await variantsApi.patch(name, operations);
    expect([response.statusCode, response.json().name]).toEqual([400, 'BadDataError']);
    expect(pathsOf(response)).toContain(path);
    expect(await variantsApi.kept(name)).toEqual([variant('a', 500), variant('b', 500)]);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('cannot exceed the size limit', async () => {
    await prepare('growing');
    const value = 'x'.repeat(100_000);
    const first = await variantsApi.patch('growing', [
      { op: 'add', path: '/0/payload', value: { type: 'string', value } },
    ]);
    expect(first.statusCode).toBe(200);
    const response = await variantsApi.patch('growing', [
      { op: 'copy', from: '/0/payload', path: '/1/payload' },
    ]);
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response)).toEqual(['/variants']);
  });

  test('is not lost among ten concurrent ones', async () => {
    await make(app.ask).feature('raced');
    const names = Array.from({ length: 10 }, (_, index) => `v${index}`);
    const responses = await Promise.all(
      names.map((name) =>
        variantsApi.patch('raced', [{ op: 'add', path: '/-', value: { name, weight: 1 } }]),
      ),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
    const variants = await variantsApi.kept('raced');
    expect(variants.map(({ name }: { name: string }) => name).sort()).toEqual(names);
    expect(variants.map(({ weight }: { weight: number }) => weight)).toEqual(Array(10).fill(100));
  });
});
