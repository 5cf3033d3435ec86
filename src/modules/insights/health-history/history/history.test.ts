import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { person } from '../../../../../test/support/people.ts';
import { settle, settleAt } from '../../../../../test/support/snapshot-days.ts';
import { removeOldEvents } from '../../../events/proof/retention.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const projects = '/api/admin/projects';

/** Returns the instant this many days and hours after 1 January. */
const at = (days: number, hours = 0) => Date.UTC(2031, 0, 1 + days, hours);

let app: TestApp;
let create: ReturnType<typeof make>;
let now = at(0);
beforeAll(async () => {
  app = await testApp({ clock: () => new Date(now) });
  create = make(app.ask);
});

const history = async (project: string, query = '', { ask }: Pick<TestApp, 'ask'> = app) =>
  (await ask(`GET ${projects}/${project}/health-history${query}`)).json();

interface Day {
  readonly day: string;
  readonly total: number;
  readonly stale: number;
  readonly potentiallyStale: number;
  readonly health: number;
  readonly reconstructed: boolean;
  readonly live: boolean;
}

/** Returns day of the month and counts. */
const brief = ({ days }: { days: Day[] }) =>
  days.map(({ day, total, stale, potentiallyStale }) => [
    Number(day.slice(-2)),
    total,
    stale,
    potentiallyStale,
  ]);

/** Starts on a separate day and in a separate project, with all earlier days written. */
async function begin(project: string, first: number): Promise<void> {
  now = at(first);
  await settle(app, now);
  await create.project(project);
}

describe('the health history of a project', () => {
  test('returns each day with its state at the end, and today with the current state', async () => {
    await begin('told', 0);
    await create.feature('told-a', { project: 'told', type: 'operational' });
    await create.feature('told-b', { project: 'told', type: 'kill-switch' });
    now = at(1);
    await settle(app, now);
    now = at(1, 1);
    await create.feature('told-c', { project: 'told', stale: true });
    now = at(7);
    await app.ask(`PUT ${projects}/told/settings`, { payload: { budget: { maxStale: 1 } } });
    await settle(app, now + 2 * hourMs);
    const answer = await history('told', '?from=2030-12-30&to=2031-01-08');
    const counts = { total: 3, stale: 1, potentiallyStale: 0, health: 67 };
    const fresh = { total: 2, stale: 0, potentiallyStale: 0, health: 100 };
    const due = { total: 3, stale: 1, potentiallyStale: 1, health: 33 };
    expect(answer).toEqual({
      version: 1,
      project: 'told',
      budget: { maxStale: 1, minHealth: null },
      days: [
        { day: '2031-01-01', ...fresh, reconstructed: false, live: false },
        ...[2, 3, 4, 5, 6].map((day) => ({
          day: `2031-01-0${day}`,
          ...counts,
          reconstructed: true,
          live: false,
        })),
        // The lifetime of seven days is over at the end of this day.
        { day: '2031-01-07', ...due, reconstructed: true, live: false },
        { day: '2031-01-08', ...due, reconstructed: false, live: true },
      ],
    });
  });

  test('contains yesterday before its snapshot is stored', async () => {
    await begin('swift', 50);
    for (const name of ['stays', 'moves', 'goes', 'ages']) {
      await create.feature(`swift-${name}`, { project: 'swift', type: 'operational' });
    }
    now = at(51);
    await create.project('swift-other');
    await app.ask(`POST ${projects}/swift/features/swift-moves/changeProject`, {
      payload: { newProjectId: 'swift-other' },
    });
    await app.ask(`DELETE ${projects}/swift/features/swift-goes`);
    await app.ask('DELETE /api/admin/archive/swift-goes');
    await app.ask(`PUT ${projects}/swift/features/swift-ages`, { payload: { stale: true } });
    now = at(52, 2);
    await create.feature('swift-new', { project: 'swift' });
    const returned = await history('swift');
    expect(brief(returned).map(([, ...counts]) => counts)).toEqual([
      [4, 0, 0],
      [2, 1, 0],
      [3, 1, 0],
    ]);
    expect(brief(await history('swift-other')).map(([, total]) => total)).toEqual([1, 1]);
    expect((await history('swift', '?to=2031-02-20')).days).toEqual(returned.days.slice(0, 1));
    // The stored snapshot is the same.
    await settleAt(app, now);
    expect(await history('swift')).toEqual(returned);
  });

  test('covers the last 90 days by default, or the requested days', async () => {
    await begin('long', 100);
    now = at(300);
    await settle(app, now);
    const { days } = await history('long');
    expect(days).toHaveLength(90);
    expect([days[0].day, days.at(-1).day]).toEqual(['2031-07-31', '2031-10-28']);
    const before = (await history('long', '?to=2031-06-01')).days;
    expect([before[0].day, before.at(-1).day]).toEqual(['2031-04-11', '2031-06-01']);
    expect((await history('long', '?from=2031-10-01')).days).toHaveLength(28);
    expect((await history('long', '?from=2031-10-01&to=2031-10-01')).days).toHaveLength(1);
    expect((await history('long', '?from=2031-10-02&to=2031-10-01')).days).toEqual([]);
    expect((await history('long', '?from=2031-10-29')).days).toEqual([]);
    expect((await history('long', '?from=2027-01-01')).days).toHaveLength(201);
    expect((await history('long', '?to=0001-01-02')).days).toEqual([]);
    expect((await history('long', '?to=9999-12-31')).days).toEqual([]);
  });

  test('goes back at most a year', async () => {
    await begin('old', 400);
    now = at(900);
    await settle(app, now);
    const { days } = await history('old', '?from=2031-01-01');
    expect(days).toHaveLength(366);
    expect(days[0].day).toBe(new Date(at(900 - 365)).toISOString().slice(0, 10));
  });

  test('omits the days on which the project was archived', async () => {
    await begin('asleep', 1000);
    now = at(1001, 12);
    await app.ask(`POST ${projects}/archive/asleep`);
    expect((await app.ask(`GET ${projects}/asleep/health-history`)).statusCode).toBe(404);
    now = at(1004, 12);
    await app.ask(`POST ${projects}/revive/asleep`);
    now = at(1006);
    await settle(app, now);
    const days = brief(await history('asleep')).map(([day]) => day);
    expect(days).toEqual([27, 1, 2, 3]);
  });

  test('does not include the days of a deleted project with the same id', async () => {
    await begin('reborn', 1100);
    await create.feature('reborn-a', { project: 'reborn' });
    now = at(1102);
    await settle(app, now);
    await app.ask(`DELETE ${projects}/reborn/features/reborn-a`);
    await app.ask(`DELETE ${projects}/reborn`);
    now = at(1104);
    await create.project('reborn');
    expect((await history('reborn')).days).toHaveLength(1);
  });

  test('does not include the days of a project that is replaced while they are stored', async () => {
    await begin('replaced', 1150);
    await create.feature('replaced-a', { project: 'replaced' });
    now = at(1151, 1);
    await settleAt(app, now, {
      betweenReadingAndWriting: async () => {
        await app.ask(`DELETE ${projects}/replaced/features/replaced-a`);
        await app.ask(`DELETE ${projects}/replaced`);
        await create.project('replaced');
      },
    });
    expect((await history('replaced')).days).toMatchObject([{ total: 0, live: true }]);
  });
});

describe('the stored days', () => {
  test('are stored once by concurrent instances', async () => {
    await begin('once', 1200);
    now = at(1203);
    const others = await Promise.all([appOn(app, { clock: () => new Date(now) }), appOn(app)]);
    await Promise.all([app, ...others, ...others].map((each) => settle(each, now)));
    const rows = await app.db
      .selectFrom('health_snapshots')
      .where('project', '=', 'once')
      .select(['day', 'reconstructed'])
      .orderBy('day')
      .execute();
    expect(rows.map(({ reconstructed }) => reconstructed)).toEqual([true, true, false]);
  });

  test('have the counts at the end of the day, even if stored after later changes', async () => {
    await begin('late', 1300);
    await create.feature('late-a', { project: 'late' });
    now = at(1301);
    await create.feature('late-b', { project: 'late', stale: true });
    await create.project('other');
    await app.ask(`POST ${projects}/late/features/late-a/changeProject`, {
      payload: { newProjectId: 'other' },
    });
    now = at(1301, 0) + hourMs / 2;
    await settle(app, now);
    expect(brief(await history('late')).map(([, ...counts]) => counts)).toEqual([
      [1, 0, 0],
      [1, 1, 0],
    ]);
    const written = await app.db
      .selectFrom('health_snapshots')
      .where('project', '=', 'late')
      .select('reconstructed')
      .execute();
    expect(written).toEqual([{ reconstructed: false }]);
  });

  test('include changes that began before midnight and were committed after it', async () => {
    await begin('slow', 1350);
    await settleAt(app, at(1351) + 5 * 60_000);
    // Another instance whose clock is behind, or that waited for a lock.
    now = at(1351) - 1;
    await create.feature('slow-a', { project: 'slow' });
    await settleAt(app, at(1351) + 10 * 60_000);
    now = at(1352);
    expect(brief(await history('slow')).map(([, total]) => total)).toEqual([1, 1, 1]);
  });

  test('are not overwritten', async () => {
    await begin('kept', 1400);
    now = at(1401);
    await settle(app, now);
    const { days } = await history('kept', '?to=2034-11-01');
    await app.db.updateTable('health_history').set({ settled_through: null }).execute();
    await app.db
      .updateTable('health_snapshots')
      .set({ health: 7 })
      .where('project', '=', 'kept')
      .execute();
    now = at(1402);
    await settle(app, now);
    const again = (await history('kept')).days;
    expect(again[0]).toEqual({ ...days[0], health: 7 });
    expect(again).toHaveLength(3);
  });

  test('go back only as far as the event log', async () => {
    await begin('cut', 1500);
    await create.feature('cut-a', { project: 'cut' });
    now = at(1503);
    await create.feature('cut-b', { project: 'cut' });
    now = at(1506);
    await create.feature('cut-c', { project: 'cut' });
    await app.transact(testActor, async (tx) => void (await removeOldEvents(tx, 4)));
    await settle(app, at(1507));
    now = at(1507);
    // The last event of the first days was removed, so their counts are unknown.
    expect(brief(await history('cut')).map(([, total]) => total)).toEqual([2, 2, 2, 3, 3]);
  });
});

describe('the budget of a project', () => {
  const budget = async (project: string) =>
    (await app.ask(`GET ${projects}/${project}/budget`)).json();

  test('is never exceeded if it has no limits', async () => {
    await begin('free', 1600);
    expect(await budget('free')).toEqual({
      version: 1,
      project: 'free',
      budget: { maxStale: null, minHealth: null },
      current: { total: 0, stale: 0, potentiallyStale: 0, health: 100 },
      withinBudget: true,
      exceeded: [],
    });
  });

  test('counts stale and potentially stale features', async () => {
    await begin('owing', 1700);
    await create.feature('owing-stale', { project: 'owing', stale: true });
    const createdAt = new Date(now - 40 * dayMs).toISOString();
    await create.feature('owing-due', { project: 'owing', type: 'release', createdAt });
    await create.feature('owing-fresh', { project: 'owing' });
    const settings = (budget: object) =>
      app.ask(`PUT ${projects}/owing/settings`, { payload: { budget } });
    await settings({ maxStale: 2, minHealth: 33 });
    expect(await budget('owing')).toMatchObject({
      current: { total: 3, stale: 1, potentiallyStale: 1, health: 33 },
      withinBudget: true,
      exceeded: [],
    });
    await settings({ maxStale: 1, minHealth: 34 });
    expect(await budget('owing')).toMatchObject({
      withinBudget: false,
      exceeded: [
        { what: 'maxStale', limit: 1, actual: 2 },
        { what: 'minHealth', limit: 34, actual: 33 },
      ],
    });
  });
});

describe('a request for the history or budget', () => {
  test.each([
    ['?from=2031-02-29', ['/query/from']],
    ['?from=2031-13-01&to=0000-01-01', ['/query/from', '/query/to']],
    ['?from=yesterday&to=2031-1-1', ['/query/from', '/query/to']],
    ['?from=2031-01-01T00:00:00Z', ['/query/from']],
    ['?from=', ['/query/from']],
    ['?from=2031-01-01&from=2031-01-02', ['/query/from']],
    ['?from=2020-01-01&to=2031-01-01', ['/query/from']],
  ])('with %s is rejected with 400', async (query, paths) => {
    const response = await app.ask(`GET ${projects}/default/health-history${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  test.each(['health-history', 'budget'])(
    'for the %s of a hidden or archived project returns 404',
    async (what) => {
      const secret = `secret-${what}`;
      await create.project(secret, { mode: 'private' });
      const outsider = await person(app);
      const member = await person(app, { roles: { [secret]: 5 } });
      const historyOf = async (ask: TestApp['ask'], project: string) => {
        const { statusCode, body } = await ask(`GET ${projects}/${project}/${what}`);
        return { statusCode, text: body.replace(/"id":"[^"]*"/, '').replaceAll(project, '') };
      };
      expect((await historyOf(member.ask, secret)).statusCode).toBe(200);
      const absent = await historyOf(outsider.ask, 'absent');
      expect(absent.statusCode).toBe(404);
      expect(await historyOf(outsider.ask, secret)).toEqual(absent);
      await app.ask(`POST ${projects}/archive/${secret}`);
      expect((await historyOf(member.ask, secret)).statusCode).toBe(404);
    },
  );
});
