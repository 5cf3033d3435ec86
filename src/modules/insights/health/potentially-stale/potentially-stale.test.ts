import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appOn, type TestApp } from '../../../../../test/support/app.ts';
import { type HealthApp, healthApp } from '../../../../../test/support/health-app.ts';
import { systemActor } from '../../../access/gate/index.ts';
import { recordPotentiallyStale } from './jobs.ts';

const projects = '/api/admin/projects';

let here: HealthApp;
let app: TestApp;
let project: string;
let name: string;
beforeAll(async () => {
  here = await healthApp();
  app = here.app;
});
beforeEach(async () => {
  project = await here.project();
  name = `${project}-a`;
  await here.create.feature(name, { project, tags: [{ type: 'simple', value: 'team' }] });
});

const turn = (server: TestApp = app, stopping = new AbortController().signal) =>
  recordPotentiallyStale({ transact: server.transact, system: systemActor, stopping });

const eventsOf = (feature: string, ...types: string[]) =>
  app.db
    .selectFrom('events')
    .where('feature_name', '=', feature)
    .where('type', 'in', types)
    .select(['type', 'project', 'data', 'pre_data as preData', 'tags', 'created_by as createdBy'])
    .select('created_at as createdAt')
    .orderBy('id')
    .execute();
const reported = (feature = name) => eventsOf(feature, 'feature-potentially-stale-on');
const setLifetime = (type: string, lifetimeDays: number | null) =>
  app.ask(`PUT /api/admin/feature-types/${type}/lifetime`, { payload: { lifetimeDays } });
const turnAt = async (days: number): Promise<number> => {
  here.atDay(days);
  await turn();
  return (await reported()).length;
};

describe('a feature that becomes potentially stale', () => {
  test('is reported once, when its lifetime is over', async () => {
    here.at(Date.parse(here.iso(40)) - 1);
    await turn();
    expect(await reported()).toEqual([]);
    here.atDay(40);
    await turn();
    expect(await reported()).toEqual([
      {
        type: 'feature-potentially-stale-on',
        project,
        data: { type: 'release', lifetimeDays: 40, dueAt: here.iso(40) },
        preData: null,
        tags: [{ type: 'simple', value: 'team' }],
        createdBy: systemActor.name,
        createdAt: new Date(here.iso(40)),
      },
    ]);
    expect(await turnAt(41)).toBe(1);
    expect(await turnAt(400)).toBe(1);
  });

  test('is found by the event search with a summary', async () => {
    await turnAt(40);
    const query = `type=IS:feature-potentially-stale-on&project=IS:${project}`;
    const { events } = (await app.ask(`GET /api/admin/search/events?${query}`)).json();
    expect(events).toMatchObject([
      { featureName: name, summary: expect.stringContaining('is potentially stale') },
    ]);
  });

  test('is reported once, even by several instances at the same time', async () => {
    for (let index = 0; index < 30; index += 1) {
      await here.create.feature(`${project}-many-${index}`, { project });
    }
    here.atDay(40);
    const other = await appOn(app, { clock: () => new Date(here.now()) });
    await Promise.all([turn(), turn(other), turn(), turn(other)]);
    const rows = await app.db
      .selectFrom('events')
      .where('project', '=', project)
      .where('type', '=', 'feature-potentially-stale-on')
      .select('feature_name')
      .execute();
    expect(rows).toHaveLength(31);
    expect(new Set(rows.map((row) => row.feature_name)).size).toBe(31);
  });

  test('is reported once, even if the clock of another instance is behind', async () => {
    here.atDay(40);
    const other = await appOn(app, { clock: () => new Date(here.now() - 60_000) });
    for (let times = 0; times < 2; times += 1) {
      await turn();
      await turn(other);
    }
    expect(await reported()).toHaveLength(1);
  });

  test('is reported by the next run if the server stops', async () => {
    here.atDay(40);
    await turn(app, AbortSignal.abort());
    expect(await reported()).toEqual([]);
    await turn();
    expect(await reported()).toHaveLength(1);
  });

  test('is reported even if 450 are due at once', async () => {
    await app.db
      .insertInto('features')
      .values(
        Array.from({ length: 450 }, (_, index) => ({
          name: `${project}-bulk-${index}`,
          project,
          type: 'operational',
          description: '',
          impression_data: false,
          stale: false,
          created_by: 'admin',
          created_by_user_id: 1,
          created_at: new Date(here.iso(0)),
          archived_at: null,
        })),
      )
      .execute();
    here.atDay(7);
    await turn();
    const { count } = await app.db
      .selectFrom('events')
      .where('project', '=', project)
      .where('type', '=', 'feature-potentially-stale-on')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(450);
  });

  test('is not reported while it is stale, archived, without a lifetime or in an archived project', async () => {
    const make = (which: string, more: object = {}) =>
      here.create.feature(`${project}-${which}`, { project, ...more });
    await make('stale', { stale: true });
    await make('archived');
    await make('switch', { type: 'kill-switch' });
    await app.ask(`DELETE ${projects}/${project}/features/${project}-archived`);
    here.atDay(400);
    const archived = (at: Date | null) =>
      app.db.updateTable('projects').set({ archived_at: at }).where('id', '=', project).execute();
    await archived(new Date(here.now()));
    await turn();
    for (const which of ['stale', 'archived', 'switch', 'a']) {
      expect(await reported(`${project}-${which}`)).toEqual([]);
    }
    await archived(null);
    await turn();
    expect(await reported()).toHaveLength(1);
    expect(await reported(`${project}-stale`)).toEqual([]);
  });
});

describe('a potentially stale feature that is due again is reported again', () => {
  const review = `/review`;
  const featurePath = () => `${projects}/${project}/features/${name}`;

  test('after its lifetime was extended', async () => {
    expect(await turnAt(40)).toBe(1);
    await setLifetime('release', 50);
    expect(await turnAt(41)).toBe(1);
    expect(await turnAt(50)).toBe(2);
    await setLifetime('release', null);
    expect(await turnAt(51)).toBe(2);
    await setLifetime('release', 40);
    expect(await turnAt(51)).toBe(3);
  });

  test('on the day its snooze ends', async () => {
    expect(await turnAt(40)).toBe(1);
    await app.ask(`PUT ${featurePath()}${review}`, {
      payload: { snoozedUntil: here.iso(60), reason: 'Not yet' },
    });
    expect(await turnAt(41)).toBe(1);
    expect(await turnAt(60)).toBe(2);
    expect((await reported())[1]?.data).toMatchObject({ dueAt: here.iso(60) });
  });

  test('after it is no longer permanent', async () => {
    await app.ask(`PUT ${featurePath()}${review}`, {
      payload: { permanent: true, reason: 'It stays' },
    });
    expect(await turnAt(40)).toBe(0);
    await app.ask(`DELETE ${featurePath()}${review}`);
    expect(await turnAt(41)).toBe(1);
  });

  test('after it had another type, was stale or was archived', async () => {
    expect(await turnAt(40)).toBe(1);
    const change = (payload: object) => app.ask(`PUT ${featurePath()}`, { payload });
    await change({ type: 'kill-switch' });
    expect(await turnAt(41)).toBe(1);
    await change({ type: 'release' });
    expect(await turnAt(42)).toBe(2);
    await change({ stale: true });
    expect(await turnAt(43)).toBe(2);
    await change({ stale: false });
    expect(await turnAt(44)).toBe(3);
    await app.ask(`DELETE ${featurePath()}`);
    expect(await turnAt(45)).toBe(3);
    await app.ask(`POST /api/admin/archive/revive/${name}`);
    expect(await turnAt(46)).toBe(4);
  });
});

describe('autoStale marks due features as stale', () => {
  const autoStale = () =>
    app.db.updateTable('projects').set({ auto_stale: true }).where('id', '=', project).execute();

  test('as the system, once, even with several instances', async () => {
    await autoStale();
    here.atDay(40);
    const other = await appOn(app, { clock: () => new Date(here.now()) });
    await Promise.all([turn(), turn(other)]);
    await turn();
    const marks = await eventsOf(name, 'feature-stale-on', 'feature-potentially-stale-on');
    expect(marks).toMatchObject([
      { type: 'feature-stale-on', project, createdBy: systemActor.name },
    ]);
    const { health, findings } = (await app.ask(`GET ${projects}/${project}/status`)).json();
    expect(health.current).toBe(0);
    expect(findings.features[0].reasons[0]).toMatchObject({
      reason: 'markedStale',
      evidence: { markedBy: systemActor.name },
    });
  });

  test('including those reported as potentially stale before it was enabled', async () => {
    here.atDay(40);
    await turn();
    await autoStale();
    await turn();
    await turn();
    const reported = await eventsOf(name, 'feature-stale-on', 'feature-potentially-stale-on');
    expect(reported.map(({ type }) => type).sort()).toEqual([
      'feature-potentially-stale-on',
      'feature-stale-on',
    ]);
  });

  test('but not snoozed or permanent features', async () => {
    await autoStale();
    await app.ask(`PUT ${projects}/${project}/features/${name}/review`, {
      payload: { snoozedUntil: here.iso(60), reason: 'Not yet' },
    });
    const marks = async (days: number) => {
      here.atDay(days);
      await turn();
      return (await eventsOf(name, 'feature-stale-on')).length;
    };
    expect(await marks(45)).toBe(0);
    expect(await marks(60)).toBe(1);
  });
});
