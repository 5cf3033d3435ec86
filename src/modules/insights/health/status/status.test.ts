import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestApp } from '../../../../../test/support/app.ts';
import { happen } from '../../../../../test/support/happen.ts';
import { type HealthApp, healthApp, seen } from '../../../../../test/support/health-app.ts';
import { person } from '../../../../../test/support/people.ts';
import { clientToken } from '../../../../../test/support/tokens.ts';

const projects = '/api/admin/projects';

let here: HealthApp;
let app: TestApp;
let project: string;
beforeAll(async () => {
  here = await healthApp();
  app = here.app;
});
beforeEach(async () => {
  project = await here.project();
});

const read = (query = '', headers: Record<string, string> = {}) =>
  app.ask(`GET ${projects}/${project}/status${query}`, { headers });
const feature = (name: string, more: object = {}) =>
  here.create.feature(`${project}-${name}`, { project, ...more });

const nothing = {
  markedStale: 0,
  lifetimeOver: 0,
  expired: 0,
  notSeen: 0,
  fullyOn: 0,
  completedButCalled: 0,
  archivedButCalled: 0,
  notInCode: 0,
};

describe('the status of a project', () => {
  test('exists for an empty project', async () => {
    const stage = { averageDays: null, currentFlags: 0 };
    expect((await read()).json()).toEqual({
      activityCountByDate: [{ date: '2026-03-01', count: expect.any(Number) }],
      health: { current: 100 },
      technicalDebt: { current: 0 },
      resources: { connectedEnvironments: 0, apiTokens: 0, members: 0, segments: 0 },
      staleFlags: { total: 0, stale: 0, potentiallyStale: 0 },
      lifecycleSummary: {
        initial: stage,
        preLive: stage,
        live: stage,
        completed: stage,
        archived: { currentFlags: 0, last30Days: 0 },
      },
      findings: {
        notSeenDays: 30,
        fullyOnDays: 30,
        countByReason: nothing,
        snoozedCount: 0,
        total: 0,
        features: [],
      },
    });
  });

  test('has the rating and counts of the health report', async () => {
    await feature('young');
    await feature('old', { createdAt: here.iso(-41) });
    await feature('stale', { stale: true });
    const report = (await app.ask(`GET ${projects}/${project}/health-report`)).json();
    const { health, technicalDebt, staleFlags } = (await read()).json();
    expect([health.current, technicalDebt.current]).toEqual([33, 67]);
    expect(report).toMatchObject({ health: 33, staleCount: 1, potentiallyStaleCount: 1 });
    expect(staleFlags).toEqual({ total: 2, stale: 1, potentiallyStale: 1 });
  });

  test('counts environments, tokens, members and segments of the project', async () => {
    await feature('a');
    await feature('b');
    await here.create.segment(`${project}-segment`, { project });
    await here.create.segment(`${project}-for-all`);
    await app.ask(`POST ${projects}/${project}/api-tokens`, {
      payload: { tokenName: 'own', type: 'client', environment: 'development' },
    });
    await person(app, { roles: { [project]: [4, 5] } });
    await seen(app.db, `${project}-a`, 'development', here.iso(0));
    await seen(app.db, `${project}-b`, 'development', here.iso(0));
    expect((await read()).json().resources).toEqual({
      connectedEnvironments: 1,
      apiTokens: 1,
      members: 1,
      segments: 1,
    });
  });

  test('has the number of features and average days in each lifecycle stage', async () => {
    for (const name of ['a', 'b', 'c']) await feature(name);
    const enter = (name: string, stage: 'pre-live' | 'live', days: number) =>
      app.db
        .insertInto('feature_lifecycles')
        .values({
          feature_name: `${project}-${name}`,
          stage,
          status: null,
          status_value: null,
          entered_at: new Date(here.iso(days)),
        })
        .execute();
    await enter('a', 'live', 2);
    await enter('b', 'pre-live', 1);
    await enter('b', 'live', 2);
    here.atDay(5);
    await app.ask(`DELETE ${projects}/${project}/features/${project}-a`);
    const archived = () => read().then((response) => response.json().lifecycleSummary);
    expect(await archived()).toEqual({
      initial: { averageDays: 1.5, currentFlags: 1 },
      preLive: { averageDays: 1, currentFlags: 0 },
      live: { averageDays: 3, currentFlags: 1 },
      completed: { averageDays: null, currentFlags: 0 },
      archived: { currentFlags: 1, last30Days: 1 },
    });
    here.atDay(35);
    expect((await archived()).archived).toEqual({ currentFlags: 1, last30Days: 0 });
  });

  test('counts the events of each of the last 365 days, even around midnight', async () => {
    const about = (...instants: string[]) =>
      happen(app.db, ...instants.map((at) => ({ project, at })));
    // In the order of commits, which differs from the order of timestamps.
    await about('2026-04-01T10:00:00Z', '2026-04-02T00:00:00.001Z', '2026-04-01T23:59:59.999Z');
    await about('2026-04-02T12:00:00Z', '2026-04-01T23:59:59Z', '2026-04-03T08:00:00Z');
    await happen(app.db, { project: 'default', at: '2026-04-02T12:00:00Z' });
    const since = async (instant: string) => {
      here.at(Date.parse(instant));
      const { activityCountByDate } = (await read()).json();
      return activityCountByDate.map(
        ({ date, count }: { date: string; count: number }) => `${date} ${count}`,
      );
    };
    const all = await since('2026-04-03T12:00:00Z');
    expect(all.slice(1)).toEqual(['2026-04-01 3', '2026-04-02 2', '2026-04-03 1']);
    expect(await since('2027-04-01T00:00:00Z')).toEqual(['2026-04-02 2', '2026-04-03 1']);
    expect(await since('2027-04-04T00:00:00Z')).toEqual([]);
  });

  test('lists an expired feature with its owner and leaves health as it is', async () => {
    const ada = await person(app, { rootRole: 1 });
    const expiresAt = here.iso(-1);
    await feature('late', { expiresAt, owner: { type: 'user', id: ada.id } });
    const { findings, health, staleFlags } = (await read()).json();
    expect(findings.countByReason).toEqual({ ...nothing, expired: 1 });
    expect(findings.features[0]).toMatchObject({
      owner: { type: 'user', id: ada.id, name: ada.name },
      reasons: [
        { reason: 'expired', since: expiresAt, detail: expect.stringMatching(/^Expired on/) },
      ],
    });
    expect([health.current, staleFlags.total]).toEqual([100, 0]);
  });

  test('shows the first 50 features with findings', async () => {
    const names = Array.from({ length: 52 }, (_, index) => `f-${String(index).padStart(2, '0')}`);
    for (const name of names) await feature(name, { createdAt: here.iso(-60) });
    const { findings } = (await read()).json();
    expect([findings.total, findings.features.length]).toEqual([52, 50]);
    expect(findings.features[0].feature).toBe(`${project}-f-00`);
    expect(findings.countByReason).toEqual({ ...nothing, lifetimeOver: 52, notSeen: 52 });
  });
});

describe('the ETag of the status', () => {
  test('yields 304 until the status changes', async () => {
    await feature('a', { createdAt: here.iso(-29) });
    const { headers } = await read();
    const known = { 'if-none-match': String(headers.etag) };
    const same = await read('', known);
    expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', headers.etag]);
    expect(headers['cache-control']).toBe('private, no-cache');
    here.at(here.now() + 86_399_999);
    expect((await read('', known)).statusCode).toBe(304);
    here.at(here.now() + 1);
    const later = await read('', known);
    expect(later.statusCode).toBe(200);
    expect(later.json().findings.countByReason.notSeen).toBe(1);
  });

  test('differs by parameters and page', async () => {
    await feature('a', { createdAt: here.iso(-60) });
    await feature('b', { createdAt: here.iso(-60) });
    const tags = await Promise.all(
      ['', '?notSeenDays=7', '/findings?limit=1', '/findings?limit=1&offset=1'].map(
        async (query) => (await read(query)).headers.etag,
      ),
    );
    expect(new Set(tags).size).toBe(4);
  });
});

describe('a request for the status', () => {
  test.each([
    ['notSeenDays=0', '/query/notSeenDays'],
    ['notSeenDays=3651', '/query/notSeenDays'],
    ['notSeenDays=1.5', '/query/notSeenDays'],
    ['fullyOnDays=x', '/query/fullyOnDays'],
    ['fullyOnDays=-1', '/query/fullyOnDays'],
    ['includeSnoozed=yes', '/query/includeSnoozed'],
  ])('with %s is rejected', async (query, path) => {
    const response = await read(`?${query}`);
    expect([response.statusCode, response.json().details[0].path]).toEqual([400, path]);
    expect((await read(`/findings?${query}`)).statusCode).toBe(400);
  });

  test('gets all validation errors together', async () => {
    const query = '?notSeenDays=0&fullyOnDays=0&reason=safe&limit=0&offset=x&sortBy=age';
    const { details } = (await read(`/findings${query}`)).json();
    const paths = details.map(({ path }: { path: string }) => path).sort();
    expect(paths).toEqual(
      ['fullyOnDays', 'limit', 'notSeenDays', 'offset', 'reason', 'sortBy'].map(
        (name) => `/query/${name}`,
      ),
    );
  });

  test.each(['1', '3650'])('may request %s days', async (days) => {
    const { findings } = (await read(`?notSeenDays=${days}&fullyOnDays=${days}`)).json();
    expect([findings.notSeenDays, findings.fullyOnDays]).toEqual([Number(days), Number(days)]);
  });

  test.each(['status', 'status/findings', 'insights', 'dora'])(
    '(%s) returns 404 for an archived or unknown project',
    async (what) => {
      await app.ask(`POST ${projects}/archive/${project}`);
      for (const id of [project, 'nosuch']) {
        const response = await app.ask(`GET ${projects}/${id}/${what}`);
        expect([response.statusCode, response.json().message]).toEqual([
          404,
          `Project '${id}' not found`,
        ]);
      }
    },
  );

  test('is allowed for a viewer but not for a client token', async () => {
    const viewer = await person(app);
    expect((await viewer.ask(`GET ${projects}/${project}/status`)).statusCode).toBe(200);
    expect((await read('', { authorization: clientToken })).statusCode).toBe(403);
  });
});
