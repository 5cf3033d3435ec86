import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../../test/support/database.ts';
import { standAloneUsage } from '../../../../../test/support/stand-alone-usage.ts';
import type { Database } from '../../../../platform/db/database.ts';

let db: Kysely<Database>;
beforeAll(async () => {
  db = (await testDatabase()).db;
});

const scope = { environment: 'development', projects: 'all' } as const;

describe('the buffer of reports during an outage is limited', () => {
  test('reports are rejected with 503 when too many are buffered, so that SDKs retry them', async () => {
    let isDown = true;
    const { usage, end } = standAloneUsage({ db }, () =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve(undefined as never),
    );
    const register = (instanceId: string) =>
      usage.register(scope, { appName: 'crowd', instanceId }, { ip: null });
    for (let n = 0; n < 300_000; n += 1) register(`instance-${n}`);
    const refusal = expect.objectContaining({ status: 503, name: 'UnavailableError' });
    expect(() => register('one more')).toThrow(refusal);
    expect(() => usage.addMetrics(scope, { appName: 'crowd' })).toThrow(refusal);
    expect(() => usage.addInBulk({ applications: [], metrics: [] }, { ip: null })).toThrow(refusal);
    isDown = false;
    await end();
  });

  test('public tokens leave room for the reports of backends', async () => {
    let isDown = true;
    const { usage, end } = standAloneUsage({ db }, () =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve(undefined as never),
    );
    const register = (instanceId: string, isPublic: boolean) =>
      usage.register(scope, { appName: 'crowd', instanceId }, { ip: null, isPublic });
    for (let n = 0; n < 200_000; n += 1) register(`instance-${n}`, true);
    expect(() => register('one more', true)).toThrow('Too much usage');
    register('of a backend', false);
    isDown = false;
    await end();
  });

  test('public tokens leave room for backend reports with a batchId', async () => {
    let isDown = true;
    const { usage, end } = standAloneUsage({ db }, () =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve(undefined as never),
    );
    const addOnce = (isPublic: boolean) =>
      usage.addOnce(
        randomUUID(),
        (into) => into.addInBulk({ applications: [], metrics: [] }, { ip: null, isPublic }),
        { isPublic },
      );
    const invented = Promise.allSettled(Array.from({ length: 1_000 }, () => addOnce(true)));
    const waiting = usage.waiting();
    expect(waiting).toBeLessThan(1_000);
    const own = Promise.allSettled([addOnce(false)]);
    expect(usage.waiting()).toBe(waiting + 1);
    for (let n = 0; n < 200_000; n += 1)
      usage.register(scope, { appName: 'crowd', instanceId: `one-${n}` }, { ip: null });
    await expect(addOnce(true)).rejects.toThrow('Too much usage');
    isDown = false;
    await end();
    await Promise.all([invented, own]);
  });
});
