import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { askedDuring } from '../../../../../test/support/locks.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';
import { programs, tokenFor, usageOfFeature } from '../../../../../test/support/usage.ts';
import { lockFeatures, markSeen } from '../../../flags/features/index.ts';

let app: TestApp;
let production: string;
let nowMs = Date.UTC(2026, 0, 5, 12, 0, 0);
const clock = () => new Date(nowMs);
const day = 24 * 3600;
const pass = (seconds: number) => {
  nowMs += seconds * 1000;
};

beforeAll(async () => {
  app = await testApp({ clock });
  production = await tokenFor(app, ['*'], 'production');
});

const features = '/api/admin/projects/default/features';
const feature = async (name: string) => (await app.ask(`GET ${features}/${name}`)).json();
const seenIn = async (name: string): Promise<Record<string, string | null>> =>
  Object.fromEntries(
    (await feature(name)).environments.map((each: { name: string; lastSeenAt: string | null }) => [
      each.name,
      each.lastSeenAt,
    ]),
  );
const stagesOf = async (name: string): Promise<string[]> =>
  (await app.ask(`GET ${features}/${name}/lifecycle`))
    .json()
    .map((each: { stage: string }) => each.stage);

/** Evaluates a feature once and stores it. */
const ask = async (name: string, token?: string, at = clock()) => {
  await programs(app).metrics(
    { [name]: { yes: 1, no: 0 } },
    { at: at.toISOString(), ...(token !== undefined && { token }) },
  );
  await usageOfFeature(app, name);
};
const report = async () => {
  const response = await app.ask('GET /api/admin/projects/default/health-report');
  return { tag: String(response.headers.etag), body: response.json() };
};

describe('the last-seen time of a feature', () => {
  test('is shown at once in the feature and the health report, for its environment only', async () => {
    await make(app.ask).feature('first');
    const before = await report();
    await ask('first');
    const at = clock().toISOString();
    expect(await seenIn('first')).toEqual({ development: at, production: null });
    expect((await feature('first')).lastSeenAt).toBe(at);
    const after = await report();
    expect(after.tag).not.toBe(before.tag);
    expect(
      after.body.features.find(({ name }: { name: string }) => name === 'first'),
    ).toMatchObject({
      lastSeenAt: at,
      lifecycle: { stage: 'pre-live', enteredStageAt: at },
    });
  });

  test('is written at most once in ten seconds and never decreases', async () => {
    await make(app.ask).feature('often');
    await ask('often');
    const first = clock().toISOString();
    pass(4);
    await ask('often');
    expect((await seenIn('often')).development).toBe(first);
    pass(8);
    await ask('often');
    const second = clock().toISOString();
    expect((await seenIn('often')).development).toBe(second);
    pass(-60);
    await ask('often');
    expect((await seenIn('often')).development).toBe(second);
    pass(60);
  });

  test('is not set by reports without evaluations', async () => {
    await make(app.ask).feature('known-only');
    for (const variants of [undefined, {}, { a: 0 }, null]) {
      await programs(app).metrics({ 'known-only': { yes: 0, no: 0, variants } });
    }
    expect(await usageOfFeature(app, 'known-only')).toEqual([]);
    expect((await feature('known-only')).lastSeenAt).toBeNull();
  });

  test('is the time of the evaluation, even if reported late', async () => {
    await make(app.ask).feature('told-late');
    const start = clock();
    pass(20 * day);
    await ask('told-late', undefined, new Date(start.getTime() + 5 * 60_000));
    const at = new Date(start.getTime() + 5 * 60_000).toISOString();
    expect(await seenIn('told-late')).toEqual({ development: at, production: null });
    expect((await feature('told-late')).lifecycle).toEqual({
      stage: 'pre-live',
      enteredStageAt: at,
    });
    await ask('told-late', undefined, new Date(start.getTime() + 60_000));
    expect((await seenIn('told-late')).development).toBe(at);
    await ask('told-late');
    expect((await seenIn('told-late')).development).toBe(clock().toISOString());
  });

  test('is the end of the hour that a proxy reports, but never in the future', async () => {
    await make(app.ask).feature('by-proxy');
    const reportAt = async (timestamp: string) => {
      const counted = { featureName: 'by-proxy', appName: 'edge', timestamp, yes: 1, no: 0 };
      await programs(app).post('metrics/bulk', { metrics: [counted] });
      await usageOfFeature(app, 'by-proxy');
      return (await seenIn('by-proxy')).development;
    };
    pass(3600 - ((nowMs / 1000) % 3600) + 1800);
    const hour = (ago: number) => new Date(nowMs - 1_800_000 - ago * 3_600_000).toISOString();
    expect(await reportAt(hour(3))).toBe(hour(2));
    expect(await reportAt(hour(0))).toBe(clock().toISOString());
  });

  test('does not deadlock with the deletion of the feature', async () => {
    await make(app.ask).feature('going');
    await ask('going');
    pass(20);
    const { waited } = await askedDuring(
      app,
      (tx) => lockFeatures(tx, ['going'], 'delete'),
      async () => {
        await app.transact(testActor, (tx) =>
          markSeen(tx, [{ feature: 'going', environment: 'development', at: tx.now }]),
        );
        return app.ask(`GET ${features}/going`);
      },
      // Would deadlock if the other transaction waited for it.
      (tx) => tx.db.deleteFrom('features').where('name', '=', 'going').execute(),
    );
    expect(waited).toBe(true);
  });

  test('is stored for archived features, which stay archived', async () => {
    await make(app.ask).feature('retired');
    await app.ask(`DELETE ${features}/retired`);
    await ask('retired');
    const seen = await app.db
      .selectFrom('feature_environments')
      .where('feature_name', '=', 'retired')
      .select(['environment', 'last_seen_at'])
      .execute();
    expect(seen).toEqual([{ environment: 'development', last_seen_at: clock() }]);
    const stages = await app.db
      .selectFrom('feature_lifecycles')
      .where('feature_name', '=', 'retired')
      .select('stage')
      .orderBy('stage')
      .execute();
    expect(stages.map(({ stage }) => stage)).toEqual(['archived', 'initial']);
  });

  test('does not restore an environment that is being removed from the project', async () => {
    const { environment, feature: make1 } = make(app.ask);
    await environment('doomed');
    const projects = '/api/admin/projects/default/environments';
    await app.ask(`POST ${projects}`, { payload: { environment: 'doomed' } });
    await make1('in-doomed');
    const { waited, response } = await askedDuring(
      app,
      (tx) => markSeen(tx, [{ feature: 'in-doomed', environment: 'doomed', at: tx.now }]),
      () => app.ask(`DELETE ${projects}/doomed`),
    );
    expect([waited, response.statusCode]).toEqual([true, 200]);
    await app.transact(testActor, (tx) =>
      markSeen(tx, [{ feature: 'in-doomed', environment: 'doomed', at: tx.now }]),
    );
    expect((await app.ask('DELETE /api/admin/environments/doomed')).statusCode).toBe(200);
  });

  test('is updated without waiting for a concurrent change of the feature', async () => {
    await make(app.ask).feature('being-edited');
    await ask('being-edited');
    pass(20);
    const { waited } = await askedDuring(
      app,
      (tx) => lockFeatures(tx, ['being-edited']),
      async () => {
        await ask('being-edited');
        return app.ask(`GET ${features}/being-edited`);
      },
    );
    expect(waited).toBe(false);
    expect((await seenIn('being-edited')).development).toBe(clock().toISOString());
  });
});

describe('the lifecycle stage set by metrics', () => {
  test('is pre-live after the first report and live once enabled in production, without events', async () => {
    await make(app.ask).feature('growing');
    const before = await countEvents(app.db);
    expect(await stagesOf('growing')).toEqual(['initial']);
    await ask('growing');
    expect(await stagesOf('growing')).toEqual(['initial', 'pre-live']);
    await ask('growing', production);
    expect(await stagesOf('growing')).toEqual(['initial', 'pre-live']);
    expect(await countEvents(app.db)).toBe(before);
    await make(app.ask).strategy('growing', {}, { environment: 'production' });
    await make(app.ask).switchedOn('growing', { environment: 'production' });
    const kept = await report();
    pass(1);
    await ask('growing');
    expect(await stagesOf('growing')).toEqual(['initial', 'pre-live']);
    await ask('growing', production);
    expect(await stagesOf('growing')).toEqual(['initial', 'pre-live', 'live']);
    expect((await report()).tag).not.toBe(kept.tag);
  });

  test('is live at once if the first report is from production', async () => {
    await make(app.ask).feature('bold');
    await make(app.ask).strategy('bold', {}, { environment: 'production' });
    await make(app.ask).switchedOn('bold', { environment: 'production' });
    await ask('bold', production);
    expect((await feature('bold')).lifecycle.stage).toBe('live');
  });

  test('does not become live by a report too late to know the state at that time', async () => {
    await make(app.ask).feature('late-bloomer');
    const before = clock();
    pass(2 * day);
    await make(app.ask).strategy('late-bloomer', {}, { environment: 'production' });
    await make(app.ask).switchedOn('late-bloomer', { environment: 'production' });
    await ask('late-bloomer', production, before);
    expect(await stagesOf('late-bloomer')).toEqual(['initial', 'pre-live']);
    // A clock that is hours behind still reports for now.
    await ask('late-bloomer', production, new Date(nowMs - 3 * 3_600_000));
    expect(await stagesOf('late-bloomer')).toEqual(['initial', 'pre-live', 'live']);
  });

  test('does not change for a completed feature and starts again for a revived one', async () => {
    await make(app.ask).feature('done');
    await app.ask(`POST ${features}/done/lifecycle/complete`, { payload: { status: 'kept' } });
    await ask('done');
    expect(await stagesOf('done')).toEqual(['initial', 'completed']);
    await app.ask(`DELETE ${features}/done`);
    await app.ask('POST /api/admin/archive/revive/done');
    expect(await stagesOf('done')).toEqual(['initial']);
    await ask('done');
    expect(await stagesOf('done')).toEqual(['initial', 'pre-live']);
  });
});
