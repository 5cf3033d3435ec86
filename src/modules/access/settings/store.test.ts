import { beforeAll, describe, expect, test } from 'vitest';
import { testActor } from '../../../../test/support/app.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { countEvents } from '../../../../test/support/recorded.ts';
import { transactOn } from '../../../app/transact.ts';
import type { Transact } from '../../../platform/db/database.ts';
import { readSecret, readSetting, removeSetting, writeSetting } from './store.ts';

let db: Awaited<ReturnType<typeof testDatabase>>['db'];
let transact: Transact;
beforeAll(async () => {
  ({ db } = await testDatabase());
  transact = transactOn(db);
});

const key = (byte: number) => Buffer.alloc(32, byte);

type Write = Parameters<typeof writeSetting> extends [unknown, ...infer Rest] ? Rest : never;
const write = (...args: Write) => transact(testActor, (tx) => writeSetting(tx, ...args));

const eventsAbout = async (id: string) => {
  const events = await db
    .selectFrom('events')
    .where('type', 'like', 'setting-%')
    .select(['type', 'data', 'pre_data as preData'])
    .orderBy('id')
    .execute();
  return events.filter(({ data }) => (data as { id: string }).id === id);
};

describe('a setting', () => {
  test('is created by the first write, updated by later ones and deleted when removed', async () => {
    expect(await readSetting(db, 'test.plain')).toBeUndefined();
    await write('test.plain', { size: 1, list: ['a'] });
    await write('test.plain', { list: ['a'], size: 2 });
    expect(await readSetting(db, 'test.plain')).toEqual({ size: 2, list: ['a'] });
    await transact(testActor, (tx) => removeSetting(tx, 'test.plain'));
    expect(await readSetting(db, 'test.plain')).toBeUndefined();
    expect(await eventsAbout('test.plain')).toEqual([
      {
        type: 'setting-created',
        data: { id: 'test.plain', size: 1, list: ['a'] },
        preData: null,
      },
      {
        type: 'setting-updated',
        data: { id: 'test.plain', size: 2, list: ['a'] },
        preData: { size: 1, list: ['a'] },
      },
      { type: 'setting-deleted', data: { id: 'test.plain' }, preData: null },
    ]);
  });

  test('records nothing if it is unchanged, or removed without existing', async () => {
    await write('test.same', { a: 1, b: { c: [2] } });
    const before = await countEvents(db);
    await write('test.same', { b: { c: [2] }, a: 1 });
    await transact(testActor, (tx) => removeSetting(tx, 'test.never'));
    expect(await countEvents(db)).toBe(before);
  });

  test('is created once by concurrent writes, which are recorded in order', async () => {
    await Promise.all([1, 2, 3, 4, 5, 6].map((size) => write('test.race', { size })));
    const events = await eventsAbout('test.race');
    expect(events.map(({ type }) => type)).toEqual([
      'setting-created',
      ...Array(5).fill('setting-updated'),
    ]);
    const sizes = events.map(({ data }) => (data as { size: number }).size);
    const former = events.slice(1).map(({ preData }) => (preData as { size: number }).size);
    expect(former).toEqual(sizes.slice(0, -1));
    expect(await readSetting(db, 'test.race')).toEqual({ size: sizes.at(-1) });
  });
});

describe('a setting with a secret', () => {
  const store = (id: string, value: Record<string, unknown>, text?: string, keys = [key(1)]) =>
    write(id, value, { keys, text });
  const sealedOf = async (id: string) =>
    (
      await db
        .selectFrom('settings')
        .where('id', '=', id)
        .select('secret')
        .executeTakeFirstOrThrow()
    ).secret;

  test('stores it encrypted and decrypts it with the right key only', async () => {
    await store('test.secret', { user: 'ada' }, 'hunter2');
    expect(await readSetting(db, 'test.secret')).toEqual({ user: 'ada' });
    expect(await readSecret(db, [key(1)], 'test.secret')).toBe('hunter2');
    expect((await sealedOf('test.secret'))?.toString('latin1')).not.toContain('hunter2');
    await expect(readSecret(db, [key(2)], 'test.secret')).rejects.toMatchObject({
      status: 403,
      name: 'InvalidOperationError',
    });
    expect(await readSecret(db, [key(1)], 'test.none')).toBeUndefined();
  });

  test('records everything but the secret, before and after, and the names of changed properties', async () => {
    await store('test.hidden', { user: 'ada', host: 'a' }, 'hunter2');
    await store('test.hidden', { user: 'grace', host: 'a' }, 'hunter3');
    await store('test.hidden', { user: 'grace', port: 1 });
    await store('test.hidden', { user: 'grace', port: 1 }, 'hunter3');
    expect(await eventsAbout('test.hidden')).toEqual([
      {
        type: 'setting-created',
        data: { id: 'test.hidden', hideEventDetails: true, value: { user: 'ada', host: 'a' } },
        preData: null,
      },
      {
        type: 'setting-updated',
        data: {
          id: 'test.hidden',
          hideEventDetails: true,
          changed: ['secret', 'user'],
          value: { user: 'grace', host: 'a' },
        },
        preData: { hideEventDetails: true, value: { user: 'ada', host: 'a' } },
      },
      {
        type: 'setting-updated',
        data: {
          id: 'test.hidden',
          hideEventDetails: true,
          changed: ['host', 'port'],
          value: { user: 'grace', port: 1 },
        },
        preData: { hideEventDetails: true, value: { user: 'grace', host: 'a' } },
      },
    ]);
    expect(await readSecret(db, [key(1)], 'test.hidden')).toBe('hunter3');
  });

  test('re-encrypts the secret with a new key when it is entered again, without recording an event', async () => {
    await store('test.rotated', { user: 'ada' }, 'hunter2');
    const before = await countEvents(db);
    await store('test.rotated', { user: 'ada' }, undefined, [key(2), key(1)]);
    expect(await readSecret(db, [key(1)], 'test.rotated')).toBe('hunter2');
    await store('test.rotated', { user: 'ada' }, 'hunter2', [key(2), key(1)]);
    expect(await readSecret(db, [key(2)], 'test.rotated')).toBe('hunter2');
    expect(await countEvents(db)).toBe(before);
  });

  test('can be replaced if no key decrypts it', async () => {
    await store('test.lost', { user: 'ada' }, 'hunter2');
    await store('test.lost', { user: 'ada' }, 'hunter3', [key(3)]);
    expect(await readSecret(db, [key(3)], 'test.lost')).toBe('hunter3');
  });

  test('is not stored at all without an encryption key', async () => {
    await expect(store('test.keyless', { user: 'ada' }, 'hunter2', [])).rejects.toMatchObject({
      status: 403,
      name: 'InvalidOperationError',
      message: expect.stringContaining('Set ENCRYPTION_KEY'),
    });
    expect(await readSetting(db, 'test.keyless')).toBeUndefined();
  });
});
