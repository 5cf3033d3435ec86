import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, testActor } from '../../../../../test/support/app.ts';
import {
  findingsOf,
  type HealthApp,
  healthApp,
  reasonsIn,
} from '../../../../../test/support/health-app.ts';
import { person } from '../../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import { forgetEverywhere } from '../../../../app/installation.ts';

const projects = '/api/admin/projects';

let here: HealthApp;
let app: TestApp;
let project: string;
let name: string;
let path: string;
beforeAll(async () => {
  here = await healthApp();
  app = here.app;
});
beforeEach(async () => {
  project = await here.project();
  name = `${project}-a`;
  path = `${projects}/${project}/features/${name}/review`;
  await here.create.feature(name, { project });
});

const put = (payload: object, ask = app.ask) => ask(`PUT ${path}`, { payload });
const snooze = (days: number, reason = 'Wait for the release') =>
  put({ snoozedUntil: here.iso(days), reason });
const permanent = { permanent: true, reason: 'A switch for emergencies' };

describe('the review of a feature', () => {
  test('can snooze it until a day', async () => {
    const response = await snooze(10);
    const review = {
      permanent: false,
      snoozedUntil: here.iso(10),
      reason: 'Wait for the release',
      reviewedBy: 'admin',
      reviewedAt: here.iso(0),
    };
    expect([response.statusCode, response.json()]).toEqual([200, review]);
    expect((await app.ask(`GET ${path}`)).json()).toEqual(review);
  });

  test('can mark it as permanent', async () => {
    await snooze(10);
    here.atDay(1);
    const review = { ...permanent, reviewedBy: 'admin', reviewedAt: here.iso(1) };
    expect((await put(permanent)).json()).toEqual(review);
    expect((await app.ask(`GET ${path}`)).json()).toEqual(review);
  });

  test('returns 404 after it was deleted', async () => {
    await put(permanent);
    expect((await app.ask(`DELETE ${path}`)).statusCode).toBe(200);
    for (const method of ['GET', 'DELETE'] as const) {
      const response = await app.ask(`${method} ${path}`);
      expect([response.statusCode, response.json().message]).toEqual([
        404,
        `Review of feature '${name}' not found`,
      ]);
    }
  });

  test('records the previous review', async () => {
    const facts = { name, project, type: 'release', stale: false };
    const first = { permanent: false, snoozedUntil: here.iso(10), reason: 'Wait for the release' };
    const second = { permanent: true, snoozedUntil: null, reason: 'A switch for emergencies' };
    const answers = [await snooze(10), await put(permanent), await app.ask(`DELETE ${path}`)];
    const recorded = await Promise.all(answers.map((answer) => recordedBy(app.db, answer)));
    expect(recorded.flat()).toMatchObject([
      { data: { ...facts, review: first }, preData: { ...facts, review: null } },
      { data: { ...facts, review: second }, preData: { ...facts, review: first } },
      { data: { ...facts, review: null }, preData: { ...facts, review: second } },
    ]);
    const { events } = (await app.ask(`GET /api/admin/search/events?feature=IS:${name}`)).json();
    expect(events.slice(0, 3)).toMatchObject(
      ['as no longer permanent', 'as permanent: ', 'until Mar 11, 2026: '].map((words) => ({
        type: 'feature-metadata-updated',
        project,
        summary: expect.stringContaining(words),
      })),
    );
  });

  test('is not recorded again if unchanged, even by another user', async () => {
    await put(permanent);
    const before = await countEvents(app.db);
    const other = await person(app, { rootRole: 1 });
    const again = await put(permanent, other.ask);
    expect([again.statusCode, again.json().reviewedBy]).toEqual([200, 'admin']);
    expect(await countEvents(app.db)).toBe(before);
  });

  test.each<[string, object, string]>([
    ['in the past', { snoozedUntil: '2026-03-01T11:59:59Z', reason: 'x' }, '/body/snoozedUntil'],
    ['now', { snoozedUntil: '2026-03-01T12:00:00Z', reason: 'x' }, '/body/snoozedUntil'],
    ['in six years', { snoozedUntil: '2032-03-01T12:00:00Z', reason: 'x' }, '/body/snoozedUntil'],
    ['no valid date', { snoozedUntil: '2026-02-30T12:00:00Z', reason: 'x' }, '/body/snoozedUntil'],
    ['leap second', { snoozedUntil: '2026-12-31T23:59:60Z', reason: 'x' }, '/body/snoozedUntil'],
    ['neither snoozed nor permanent', { reason: 'x' }, '/body/snoozedUntil'],
    ['permanent: false without a snooze', { permanent: false, reason: 'x' }, '/body/snoozedUntil'],
    [
      'both snoozed and permanent',
      { ...permanent, snoozedUntil: '2026-04-01T12:00:00Z' },
      '/body/snoozedUntil',
    ],
    ['no reason', { permanent: true }, '/body/reason'],
    ['an empty reason', { permanent: true, reason: ' ' }, '/body/reason'],
    ['a long reason', { permanent: true, reason: 'x'.repeat(1001) }, '/body/reason'],
  ])('is rejected: %s', async (_what, payload, where) => {
    const response = await put(payload);
    expect([response.statusCode, response.json().name]).toEqual([400, 'BadDataError']);
    expect(response.json().details.map((each: { path: string }) => each.path)).toEqual([where]);
    expect(await recordedBy(app.db, response)).toEqual([]);
  });

  test('reports all missing properties together', async () => {
    const { details } = (await put({})).json();
    expect(details.map(({ path }: { path: string }) => path)).toEqual([
      '/body/reason',
      '/body/snoozedUntil',
    ]);
  });

  test('returns 404 for archived features and features of other projects', async () => {
    const elsewhere = `${projects}/default/features/${name}/review`;
    expect((await app.ask(`PUT ${elsewhere}`, { payload: permanent })).statusCode).toBe(404);
    await put(permanent);
    expect((await app.ask(`GET ${elsewhere}`)).json().message).toBe(`Feature '${name}' not found`);
    await app.ask(`DELETE ${projects}/${project}/features/${name}`);
    for (const request of [
      app.ask(`GET ${path}`),
      put({ ...permanent, reason: 'other' }),
      app.ask(`DELETE ${path}`),
    ]) {
      expect((await request).statusCode).toBe(404);
    }
  });

  test('requires UPDATE_FEATURE in the project', async () => {
    const [member, viewer] = [await person(app, { roles: { [project]: 5 } }), await person(app)];
    const refused = await put(permanent, viewer.ask);
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      expect.stringContaining('UPDATE_FEATURE'),
    ]);
    expect((await put(permanent, member.ask)).json().reviewedBy).toBe(member.name);
    expect((await viewer.ask(`GET ${path}`)).statusCode).toBe(200);
  });

  test('loses the name of an erased user', async () => {
    const member = await person(app, { roles: { [project]: 5 } });
    await put(permanent, member.ask);
    await forgetEverywhere(app.transact, testActor, member.id);
    expect((await app.ask(`GET ${path}`)).body).not.toContain(member.name);
    expect((await app.ask(`GET ${path}`)).json().reason).toBe(permanent.reason);
  });

  test('records all of several concurrent changes in order', async () => {
    const answers = await Promise.all([snooze(10), put(permanent), snooze(20, 'Later')]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const events = await app.db
      .selectFrom('events')
      .where('feature_name', '=', name)
      .where('type', '=', 'feature-metadata-updated')
      .select(['data', 'pre_data'])
      .orderBy('id')
      .execute();
    const reviewOf = (facts: unknown) => (facts as { review: unknown }).review;
    expect(events).toHaveLength(3);
    expect(reviewOf(events[0]?.pre_data)).toBeNull();
    expect(reviewOf(events[1]?.pre_data)).toEqual(reviewOf(events[0]?.data));
    expect(reviewOf(events[2]?.pre_data)).toEqual(reviewOf(events[1]?.data));
    const { permanent: stays, reason } = (await app.ask(`GET ${path}`)).json();
    expect(reviewOf(events[2]?.data)).toMatchObject({ permanent: stays, reason });
  });
});

describe('health report, status, search and project list', () => {
  /** Returns the potentially stale counts of the report, the status, the search and the list of projects. */
  const counts = async () => {
    const [report, status, found, listed] = [
      (await app.ask(`GET ${projects}/${project}/health-report`)).json(),
      (await app.ask(`GET ${projects}/${project}/status`)).json(),
      (
        await app.ask(
          `GET /api/admin/search/features?project=IS:${project}&state=IS:potentially-stale`,
        )
      ).json(),
      (await app.ask(`GET ${projects}`)).json(),
    ];
    const own = listed.projects.find(({ id }: { id: string }) => id === project);
    return [
      report.potentiallyStaleCount,
      status.staleFlags.potentiallyStale,
      found.total,
      own.potentiallyStaleFeatureCount,
    ];
  };

  test('count a snoozed feature from the day the snooze ends', async () => {
    await snooze(60);
    here.atDay(40);
    expect(await counts()).toEqual([0, 0, 0, 0]);
    here.at(Date.parse(here.iso(60)) - 1);
    expect(await counts()).toEqual([0, 0, 0, 0]);
    here.atDay(60);
    expect(await counts()).toEqual([1, 1, 1, 1]);
  });

  test('ignore a snooze that ends before the lifetime', async () => {
    await snooze(10);
    here.atDay(39);
    expect(await counts()).toEqual([0, 0, 0, 0]);
    here.atDay(40);
    expect(await counts()).toEqual([1, 1, 1, 1]);
  });

  test('do not count a permanent feature until its review is deleted', async () => {
    await put(permanent);
    here.atDay(4_000);
    expect(await counts()).toEqual([0, 0, 0, 0]);
    await app.ask(`DELETE ${path}`);
    expect(await counts()).toEqual([1, 1, 1, 1]);
  });

  test('hide reasons of age for a snoozed feature unless includeSnoozed is set', async () => {
    await snooze(60);
    here.atDay(45);
    const shown = await findingsOf(app.ask, project);
    expect([shown.total, shown.snoozedCount]).toEqual([0, 1]);
    expect(shown.countByReason).toMatchObject({ lifetimeOver: 0, notSeen: 0 });
    const all = await findingsOf(app.ask, project, '?includeSnoozed=true');
    expect([all.total, all.snoozedCount]).toEqual([1, 0]);
    expect(all.features).toMatchObject([
      {
        feature: name,
        review: { permanent: false, snoozedUntil: here.iso(60), reviewedBy: 'admin' },
        reasons: [{ reason: 'lifetimeOver' }, { reason: 'notSeen' }],
      },
    ]);
    here.atDay(60);
    expect(await reasonsIn(app.ask, project)).toEqual({ [name]: ['lifetimeOver', 'notSeen'] });
  });

  test('count a stale feature even if it is permanent', async () => {
    await put(permanent);
    await app.ask(`POST ${projects}/${project}/stale`, {
      payload: { features: [name], stale: true },
    });
    here.atDay(50);
    expect(await reasonsIn(app.ask, project)).toEqual({ [name]: ['markedStale'] });
    const { health, staleFlags } = (await app.ask(`GET ${projects}/${project}/status`)).json();
    expect([health.current, staleFlags.stale]).toEqual([0, 1]);
  });
});

describe('reviews of several features', () => {
  test('are stored and deleted in one request, with an outcome for each', async () => {
    const [other, archived] = [`${project}-b`, `${project}-c`];
    for (const each of [other, archived]) await here.create.feature(each, { project });
    await app.ask(`DELETE ${projects}/${project}/features/${archived}`);
    const elsewhere = await here.project();
    await here.create.feature(`${elsewhere}-a`, { project: elsewhere });
    const features = [name, other, archived, `${elsewhere}-a`];
    const changed = (feature: string) => ({ name: feature, project, outcome: 'changed' });
    const refused = [
      { name: archived, project, outcome: 'refused', why: `'${archived}' is archived` },
      {
        name: `${elsewhere}-a`,
        outcome: 'refused',
        why: `Feature '${elsewhere}-a' not found`,
      },
    ];
    const review = { snoozedUntil: here.iso(10), reason: 'Together' };
    const path = `${projects}/${project}/reviews` as const;
    const response = await app.ask(`POST ${path}`, { payload: { features, ...review } });
    expect(response.json().features).toEqual([changed(name), changed(other), ...refused]);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'feature-metadata-updated', data: { name, review: { reason: 'Together' } } },
      { type: 'feature-metadata-updated', data: { name: other } },
    ]);
    const again = await app.ask(`POST ${path}`, { payload: { features, ...review } });
    expect(again.json().features[0].outcome).toBe('unchanged');
    const wrong = await app.ask(`POST ${path}`, { payload: { features, reason: 'No term' } });
    expect(wrong.statusCode).toBe(400);
    const removed = await app.ask(`POST ${path}/delete`, { payload: { features } });
    expect(removed.json().features).toEqual([changed(name), changed(other), ...refused]);
    const nothing = await app.ask(`POST ${path}/delete`, { payload: { features: [name] } });
    expect(nothing.json().features).toEqual([{ name, project, outcome: 'unchanged' }]);
  });
});
