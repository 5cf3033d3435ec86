import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../test/support/app.ts';
import { countEvents } from '../../../test/support/recorded.ts';
import { rehearseOn } from '../../app/transact.ts';
import { defineEvent, record } from '../../modules/events/index.ts';
import type { Tx } from './database.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const noticed = defineEvent<{ by: string }>({
  type: 'project-updated',
  label: 'Noticed',
  summary: ({ user }) => user,
});

const describeEnvironment = (tx: Tx, name: string, type: string) =>
  tx.db.updateTable('environments').set({ type }).where('name', '=', name).execute();

const typeOf = async (name: string) =>
  (
    await app.db
      .selectFrom('environments')
      .where('name', '=', name)
      .select('type')
      .executeTakeFirstOrThrow()
  ).type;

describe('a transaction', () => {
  test('is retried after a deadlock and records its events once', async () => {
    const before = await countEvents(app.db);
    let met: () => void = () => undefined;
    const meeting = new Promise<void>((resolve) => {
      met = resolve;
    });
    let arrived = 0;
    let attempts = 0;
    const crosswise = (by: string, first: string, second: string) =>
      app.transact(testActor, async (tx) => {
        attempts += 1;
        record(tx, noticed({ data: { by } }));
        await describeEnvironment(tx, first, by);
        arrived += 1;
        if (arrived === 2) met();
        await meeting;
        await describeEnvironment(tx, second, by);
      });
    await Promise.all([
      crosswise('one', 'development', 'production'),
      crosswise('two', 'production', 'development'),
    ]);
    // PostgreSQL may choose both as the loser.
    expect(attempts).toBeGreaterThanOrEqual(3);
    expect(await countEvents(app.db)).toBe(before + 2);
    expect(await typeOf('development')).toBe(await typeOf('production'));
  });

  test('is rolled back if a statement failed, even if the code ignored the error', async () => {
    const before = [await countEvents(app.db), await typeOf('development')];
    const twice = {
      ...{ name: 'development', type: 'x', sort_order: 1, created_at: new Date() },
      ...{ enabled: true, protected: false },
    };
    const failing = app.transact(testActor, async (tx) => {
      record(tx, noticed({ data: { by: 'three' } }));
      await describeEnvironment(tx, 'development', 'of a transaction that fails');
      await tx.db
        .insertInto('environments')
        .values(twice)
        .execute()
        .catch(() => undefined);
    });
    await expect(failing).rejects.toMatchObject({ code: '25P02' });
    expect([await countEvents(app.db), await typeOf('development')]).toEqual(before);
  });

  test('leaves the connection usable if it fails before its first statement', async () => {
    const refused = app.transact(testActor, async () => {
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    await app.transact(testActor, (tx) => describeEnvironment(tx, 'production', 'changed'));
    expect(await typeOf('production')).toBe('changed');
  });

  test('returns its result and changes nothing in a dry run', async () => {
    const before = await countEvents(app.db);
    const kept = await typeOf('development');
    const seen = await rehearseOn(app.db)(testActor, async (tx) => {
      await describeEnvironment(tx, 'development', 'rehearsed');
      record(tx, noticed({ data: { by: 'nobody' } }));
      return 'seen';
    });
    expect(seen).toBe('seen');
    expect(await typeOf('development')).toBe(kept);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('fails in a dry run with the same error', async () => {
    const work = rehearseOn(app.db)(testActor, async () => {
      throw new Error('refused');
    });
    await expect(work).rejects.toThrow('refused');
  });
});
