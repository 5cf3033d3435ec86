import { sql } from 'kysely';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import { testDatabase } from '../../../../../test/support/database.ts';
import { askedDuring } from '../../../../../test/support/locks.ts';
import { make } from '../../../../../test/support/make.ts';
import { standAloneUsage } from '../../../../../test/support/stand-alone-usage.ts';
import { fill, programs, usageOfFeature, yesOf } from '../../../../../test/support/usage.ts';

/** Time stands still, because counts of two hours would be two rows. */
const now = new Date();
const clock = () => now;

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock });
});

const scope = { environment: 'development', projects: 'all' } as const;
const bucket = (toggles: object) => {
  const at = new Date().toISOString();
  return { start: at, stop: at, toggles } as never;
};
const once = { yes: 1, no: 0 };

const storedYes = async (feature: string): Promise<number> => {
  const { yes } = await app.db
    .selectFrom('usage_hours')
    .where('feature_name', '=', feature)
    .select(sql<number>`coalesce(sum(yes), 0)::int`.as('yes'))
    .executeTakeFirstOrThrow();
  return yes;
};

const standAlone = (transact: TestApp['transact']) => standAloneUsage(app, transact, clock);

describe('metrics accepted with 202', () => {
  test('are stored within seconds', async () => {
    await make(app.ask).feature('by-itself');
    await programs(app).metrics({ 'by-itself': once });
    await vi.waitFor(async () => expect(await storedYes('by-itself')).toBe(1), 60_000);
  });

  test('are stored completely by a graceful stop', async () => {
    await make(app.ask).feature('at-the-end');
    const leaving = await appOn(app, { clock });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        programs(leaving).metrics({ 'at-the-end': once }, { appName: `leaver-${n % 7}` }),
      ),
    );
    await leaving.app.close();
    expect(answers.every(({ statusCode }) => statusCode === 202)).toBe(true);
    expect(await storedYes('at-the-end')).toBe(50);
    const left = await app.ask('GET /api/admin/metrics/applications?query=leaver-');
    expect(left.json().total).toBe(7);
  });

  test('are summed exactly when several instances store them concurrently', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `crowded-${n}`);
    for (const name of names) await make(app.ask).feature(name);
    const two = await appOn(app, { clock });
    const counts = (order: readonly string[]) =>
      Object.fromEntries(order.map((name) => [name, { yes: 1, no: 2, variants: { a: 1, b: 1 } }]));
    for (let round = 0; round < 10; round += 1) {
      await programs(app).metrics(counts(names));
      await programs(two).metrics(counts(names.toReversed()));
      await Promise.all([app, two].map((each) => usageOfFeature(each, 'crowded-0')));
    }
    for (const name of names) {
      const [hour, ...rest] = await usageOfFeature(app, name);
      expect([hour, rest]).toMatchObject([{ yes: 20, no: 40, variants: { a: 20, b: 20 } }, []]);
    }
  });

  test('survive a database outage and are counted once', async () => {
    const { connection, db, name } = await testDatabase();
    // With time standing still, tokens seen before the outage stay cached.
    const lonely = await appOn({ connection, db }, { clock });
    await make(lonely.ask).feature('in-the-dark');
    const report = () => programs(lonely).metrics({ 'in-the-dark': once });
    await report();
    expect(yesOf(await usageOfFeature(lonely, 'in-the-dark'))).toBe(1);
    await sql.raw(`alter database "${name}" allow_connections false`).execute(app.db);
    await sql
      .raw(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      .execute(app.db);
    for (const wait of [0, 1_500, 0]) {
      expect((await report()).statusCode).toBe(202);
      await new Promise((resume) => setTimeout(resume, wait));
    }
    const down = await lonely.ask('GET /api/admin/metrics/applications');
    expect(down.statusCode).toBe(503);
    await sql.raw(`alter database "${name}" allow_connections true`).execute(app.db);
    await vi.waitFor(
      async () => expect(yesOf(await usageOfFeature(lonely, 'in-the-dark'))).toBe(4),
      60_000,
    );
  });
});

describe('metrics are counted exactly once', () => {
  test('when the response to a commit is lost', async () => {
    await make(app.ask).feature('twice');
    let losing = true;
    const { usage, end } = standAlone(async (actor, work) => {
      const result = await app.transact(actor, work);
      if (losing) throw new Error('connection lost');
      return result;
    });
    usage.addMetrics(scope, { appName: 'unlucky', bucket: bucket({ twice: once }) });
    await expect(usage.flush()).rejects.toThrow('connection lost');
    usage.addMetrics(scope, { appName: 'unlucky', bucket: bucket({ twice: once }) });
    losing = false;
    await usage.flush();
    await end();
    expect(await storedYes('twice')).toBe(2);
  });

  test('when a transaction was rolled back', async () => {
    await make(app.ask).feature('rolled-back');
    let failing = 2;
    const { usage, end } = standAlone((actor, work) =>
      app.transact(actor, async (tx) => {
        const result = await work(tx);
        failing -= 1;
        if (failing >= 0) throw new Error('no room on the disk');
        return result;
      }),
    );
    usage.addMetrics(scope, { appName: 'patient', bucket: bucket({ 'rolled-back': once }) });
    await expect(usage.flush()).rejects.toThrow('no room');
    await end();
    expect(await storedYes('rolled-back')).toBe(1);
  });
});

test('a stop waits for a database that is briefly unavailable', async () => {
  await make(app.ask).feature('patiently');
  let back = Number.POSITIVE_INFINITY;
  const { usage, end } = standAlone((actor, work) =>
    performance.now() < back ? Promise.reject(new Error('restarting')) : app.transact(actor, work),
  );
  usage.addMetrics(scope, { appName: 'last', bucket: bucket({ patiently: once }) });
  back = performance.now() + 1_000;
  await end();
  expect(await storedYes('patiently')).toBe(1);
});

describe('metrics that the database rejects as invalid', () => {
  const refused = Object.assign(new Error('out of range'), { code: '22003' });

  test('are dropped after five attempts, and later metrics are stored', async () => {
    await make(app.ask).feature('after-it');
    let refusing = true;
    const { usage, end } = standAlone((actor, work) =>
      refusing ? Promise.reject(refused) : app.transact(actor, work),
    );
    usage.addMetrics(scope, { appName: 'poisoned', bucket: bucket({ 'after-it': once }) });
    for (let attempt = 1; attempt < 5; attempt += 1) {
      await expect(usage.flush()).rejects.toThrow('out of range');
    }
    await usage.flush();
    refusing = false;
    usage.addMetrics(scope, { appName: 'sound', bucket: bucket({ 'after-it': once }) });
    await end();
    expect(await storedYes('after-it')).toBe(1);
  });

  test('are the only ones dropped: other failures are retried', async () => {
    await make(app.ask).feature('never-dropped');
    let failures = 12;
    const { usage, end } = standAlone((actor, work) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new Error('down')) : app.transact(actor, work);
    });
    usage.addMetrics(scope, { appName: 'sound', bucket: bucket({ 'never-dropped': once }) });
    while (failures > 0) await expect(usage.flush()).rejects.toThrow('down');
    await end();
    expect(await storedYes('never-dropped')).toBe(1);
  });
});

test('concurrent flushes run one at a time', async () => {
  await make(app.ask).feature('orderly');
  const report = () =>
    usage.addMetrics(scope, { appName: 'eager', bucket: bucket({ orderly: once }) });
  let running = 0;
  let calls = 0;
  const { usage, end } = standAlone(async (actor, work) => {
    running += 1;
    calls += 1;
    expect(running).toBe(1);
    try {
      if (calls === 2) throw new Error('once');
      return await app.transact(actor, work);
    } finally {
      running -= 1;
    }
  });
  report();
  const [first, second] = [usage.flush(), usage.flush()];
  // At the moment when the first has ended and the second has not started.
  const third = first.then(() => {
    report();
    return usage.flush();
  });
  await Promise.allSettled([second, third]);
  await end();
  expect(await storedYes('orderly')).toBe(2);
});

describe('metrics of a resource that is deleted while they are stored', () => {
  test('report a deleted feature as an unknown flag', async () => {
    await make(app.ask).feature('vanishing');
    const { response } = await askedDuring(
      app,
      (tx) => tx.db.deleteFrom('features').where('name', '=', 'vanishing').execute(),
      async () => {
        await programs(app).metrics({ vanishing: once });
        return app.ask('GET /api/admin/metrics/unknown-flags');
      },
    );
    expect(response.json().unknownFlags).toMatchObject([{ name: 'vanishing' }]);
    await app.db.deleteFrom('unknown_features').execute();
  });

  test('create a deleted application again', async () => {
    await programs(app).register({ appName: 'returning' });
    await app.ask('GET /api/admin/metrics/applications/returning');
    const { waited, response } = await askedDuring(
      app,
      (tx) => tx.db.deleteFrom('applications').where('app_name', '=', 'returning').execute(),
      async () => {
        await programs(app).register({ appName: 'returning', instanceId: 'another' });
        return app.ask('GET /api/admin/metrics/applications/returning');
      },
    );
    expect([waited, response.statusCode]).toEqual([true, 200]);
    expect(response.json().instances).toMatchObject([{ instanceId: 'another' }]);
  });
});

describe('limits for invented names', () => {
  test('instances and unknown flags beyond the limit are not stored', async () => {
    await programs(app).register({ appName: 'roomy', instanceId: 'first' });
    await usageOfFeature(app, 'by-itself');
    await fill(
      app.db,
      'application_instances',
      'app_name, environment, instance_id, created_at, seen_at',
      `'roomy', 'development', 'made-' || n, now(), now()`,
      50_000,
    );
    await fill(
      app.db,
      'unknown_features',
      'name, app_name, environment, seen_at',
      `'made-' || n, 'roomy-' || n % 20, 'development', now()`,
      10_000,
    );
    await programs(app).register({ appName: 'roomy', instanceId: 'first', sdkVersion: 'own:2' });
    await programs(app).register({ appName: 'roomy', instanceId: 'late' });
    await programs(app).metrics({ 'late-name': once }, { appName: 'roomy' });
    const one = await app.ask('GET /api/admin/metrics/applications/roomy');
    expect(one.json().sdkVersion).toBe('own:2');
    const late = await app.db
      .selectFrom('application_instances')
      .where('instance_id', '=', 'late')
      .select('instance_id')
      .execute();
    expect(late).toEqual([]);
    const names = await app.db
      .selectFrom('unknown_features')
      .where('name', '=', 'late-name')
      .select('name')
      .execute();
    expect(names).toEqual([]);
    await app.db.deleteFrom('unknown_features').execute();
  });

  test('counts and their sums are capped', async () => {
    await make(app.ask).feature('enormous');
    const most = { yes: 1_000_000_000_000, no: 0, variants: { a: 1_000_000_000_000 } };
    await programs(app).metrics({ enormous: most });
    await usageOfFeature(app, 'enormous');
    await app.db
      .updateTable('usage_hours')
      .set({ yes: 9e15 - 1 })
      .where('feature_name', '=', 'enormous')
      .execute();
    await programs(app).metrics({ enormous: most });
    expect(yesOf(await usageOfFeature(app, 'enormous'))).toBe(9e15);
    await fill(
      app.db,
      'usage_hours',
      'feature_name, hour, environment, app_name, yes, no',
      `'enormous', date_trunc('hour', timestamptz '${now.toISOString()}'), 'development', 'enormous-' || n, 9e15, 9e15`,
      1_100,
    );
    const summary = await app.ask('GET /api/admin/client-metrics/features/enormous');
    expect(summary.json().lastHourUsage).toMatchObject([{ yes: 9e15, no: 9e15 }]);
  });

  test('names of the maximum length are stored', async () => {
    await make(app.ask).feature('n'.repeat(100));
    const longest = '\u{1f680}'.repeat(255);
    const variants = { ['\u{1f680}'.repeat(127)]: 1 };
    const names = { appName: longest, instanceId: longest };
    await programs(app).register({ ...names, sdkVersion: longest, strategies: [longest] });
    await programs(app).metrics(
      { ['n'.repeat(100)]: { yes: 1, no: 0, variants }, ['\u8a9e'.repeat(255)]: once },
      names,
    );
    expect(await usageOfFeature(app, 'n'.repeat(100))).toMatchObject([
      { appName: longest, variants },
    ]);
    await app.db.deleteFrom('unknown_features').execute();
  });

  test('at most 100 variants per hour are stored, and overlong names are dropped', async () => {
    await make(app.ask).feature('colourful');
    for (const page of ['a', 'b']) {
      const variants = Object.fromEntries(
        Array.from({ length: 80 }, (_, n) => [`${page}-${n}`, 1]),
      );
      await programs(app).metrics({ colourful: { yes: 80, no: 0, variants } });
      await usageOfFeature(app, 'colourful');
    }
    await programs(app).metrics({ colourful: { yes: 0, no: 0, variants: { 'a-0': 4 } } });
    const hours = await usageOfFeature(app, 'colourful');
    const given = Object.assign({}, ...hours.map(({ variants }) => variants));
    expect([yesOf(hours), Object.keys(given).length, given['a-0']]).toEqual([160, 100, 5]);
    const long = 'x'.repeat(256);
    await programs(app).metrics({ [long]: once, '': once, colourful: { variants: { [long]: 1 } } });
    await usageOfFeature(app, 'colourful');
    const { unknownFlags } = (await app.ask('GET /api/admin/metrics/unknown-flags')).json();
    expect(unknownFlags).toEqual([]);
  });

  test('applications beyond the limit are counted together as (others)', async () => {
    await make(app.ask).feature('popular');
    await fill(
      app.db,
      'applications',
      'app_name, description, strategies, is_public, created_by, created_at, updated_at, seen_at',
      `'made-' || n, '', '{}', false, '', now(), now(), now()`,
      5_000,
    );
    for (const appName of ['too-many', 'far-too-many', 'made-7']) {
      await programs(app).metrics({ popular: once, 'also-unknown': once }, { appName });
    }
    const hours = await usageOfFeature(app, 'popular');
    expect(hours.map(({ appName, yes }) => [appName, yes])).toEqual([
      ['(others)', 2],
      ['made-7', 1],
    ]);
    const usage = (await app.ask('GET /api/admin/client-metrics/features/popular')).json();
    expect(usage.seenApplications).toEqual(['made-7']);
    expect((await app.ask('GET /api/admin/metrics/applications/too-many')).statusCode).toBe(404);
  });
});
