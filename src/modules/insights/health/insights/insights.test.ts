import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { group as groupOf } from '../../../../../test/support/groups.ts';
import { type HealthApp, healthApp, seen } from '../../../../../test/support/health-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { person } from '../../../../../test/support/people.ts';
import { removeOldEvents } from '../../../events/proof/retention.ts';

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

const read = async (what: string) => (await app.ask(`GET ${projects}/${project}/${what}`)).json();
const feature = (name: string, more: object = {}) =>
  here.create.feature(`${project}-${name}`, { project, ...more });
const release = (name: string) =>
  here.create.switchedOn(`${project}-${name}`, { project, environment: 'production' });

test('an empty project has insights', async () => {
  expect(await read('insights')).toEqual({
    stats: {
      avgTimeToProdCurrentWindow: 0,
      createdCurrentWindow: 0,
      createdPastWindow: 0,
      archivedCurrentWindow: 0,
      archivedPastWindow: 0,
      projectActivityCurrentWindow: expect.any(Number),
      projectActivityPastWindow: 0,
      projectMembersAddedCurrentWindow: 0,
    },
    health: { rating: 100, activeCount: 0, potentiallyStaleCount: 0, staleCount: 0 },
    leadTime: { projectAverage: 0, features: [] },
    featureTypeCounts: [],
    members: { currentMembers: 0, change: 0 },
  });
  expect(await read('dora')).toEqual({ projectAverage: 0, features: [] });
});

test('insights have the same numbers as the health report', async () => {
  await feature('b');
  await feature('a', { type: 'kill-switch' });
  await feature('old', { createdAt: here.iso(-50) });
  await feature('stale', { stale: true });
  await person(app, { roles: { [project]: 5 } });
  here.atDay(2);
  await release('b');
  here.atDay(3);
  await release('a');
  const report = await read('health-report');
  const insights = await read('insights');
  expect(insights.stats).toEqual(report.stats);
  expect(insights.stats).toMatchObject({ avgTimeToProdCurrentWindow: 2.5 });
  expect(insights.health).toEqual({
    rating: report.health,
    activeCount: report.activeCount,
    potentiallyStaleCount: report.potentiallyStaleCount,
    staleCount: report.staleCount,
  });
  expect(insights.health).toMatchObject({ rating: 50, staleCount: 1, potentiallyStaleCount: 1 });
  expect(insights.featureTypeCounts).toEqual([
    { type: 'release', count: 3 },
    { type: 'kill-switch', count: 1 },
  ]);
  expect(insights.members.currentMembers).toBe(report.members);
  const leadTime = {
    projectAverage: 2.5,
    features: [
      { name: `${project}-a`, timeToProduction: 3 },
      { name: `${project}-b`, timeToProduction: 2 },
    ],
  };
  expect(insights.leadTime).toEqual(leadTime);
  expect(await read('dora')).toEqual(leadTime);
});

test('a release is listed only if the log still proves that it was the first', async () => {
  const at = (days: number) => new Date(Date.UTC(2031, 0, 1 + days));
  let now = at(0);
  const { ask, transact } = await testApp({ clock: () => now });
  const place = { project: 'default', environment: 'production' };
  const made = async (name: string, more: Record<string, unknown> = {}) => {
    await make(ask).feature(name, more);
    await make(ask).strategy(name, {}, place);
  };
  const turn = (name: string, state: 'on' | 'off') =>
    ask(`POST ${projects}/default/features/${name}/environments/production/${state}`);
  await made('on-before');
  await turn('on-before', 'on');
  await made('off-before');
  now = at(50);
  await made('young', { createdAt: at(40).toISOString() });
  await turn('on-before', 'off');
  await transact(testActor, async (tx) => void (await removeOldEvents(tx, 10)));
  now = at(51);
  for (const name of ['on-before', 'off-before', 'young']) await turn(name, 'on');
  expect((await ask(`GET ${projects}/default/dora`)).json()).toEqual({
    projectAverage: 11,
    features: [{ name: 'young', timeToProduction: 11 }],
  });
});

test('a member whose role changes does not count as added', async () => {
  const access = `${projects}/${project}/access`;
  const [one, two] = [await person(app), await person(app)];
  const { id: group } = await groupOf(app, { users: [two.id] });
  for (const path of [`users/${one.id}`, `groups/${group}`]) {
    await app.ask(`PUT ${projects}/${project}/${path}/roles`, { payload: { roles: [5] } });
  }
  expect((await read('insights')).members).toEqual({ currentMembers: 2, change: 2 });
  here.atDay(700);
  for (const path of [`users/${one.id}`, `groups/${group}`]) {
    await app.ask(`PUT ${projects}/${project}/${path}/roles`, { payload: { roles: [4] } });
  }
  expect((await read('insights')).members).toEqual({ currentMembers: 2, change: 0 });
  const roles = [
    { id: 5, users: [one.id] },
    { id: 4, groups: [group] },
  ];
  await app.ask(`PUT ${access}`, { payload: { roles } });
  expect((await read('insights')).members).toEqual({ currentMembers: 2, change: 0 });
  expect((await app.ask(`GET ${access}`)).json().users).toMatchObject([
    { id: one.id, addedAt: here.iso(0), roles: [5] },
  ]);
  // A member who was removed and added again counts as new.
  await app.ask(`DELETE ${projects}/${project}/users/${one.id}/roles`);
  await app.ask(`PUT ${projects}/${project}/users/${one.id}/roles`, { payload: { roles: [5] } });
  expect((await read('insights')).members).toEqual({ currentMembers: 2, change: 1 });
});

test.each(['insights', 'dora'])('%s return 304 until they change', async (what) => {
  const first = await app.ask(`GET ${projects}/${project}/${what}`);
  const known = { 'if-none-match': String(first.headers.etag) };
  const again = () => app.ask(`GET ${projects}/${project}/${what}`, { headers: known });
  expect((await again()).statusCode).toBe(304);
  await feature('a');
  await release('a');
  expect((await again()).statusCode).toBe(200);
});

test('the overview has the stats of the health report, even for an archived project', async () => {
  await feature('made');
  await feature('gone');
  await app.ask(`DELETE ${projects}/${project}/features/${project}-gone`);
  here.atDay(2);
  await release('made');
  const { stats } = await read('health-report');
  expect(stats).toMatchObject({ createdCurrentWindow: 2, archivedCurrentWindow: 1 });
  expect((await read('overview')).stats).toEqual(stats);
  await app.ask(`DELETE ${projects}/${project}/features/${project}-made`);
  await app.ask(`POST ${projects}/archive/${project}`);
  expect(await read('overview')).toMatchObject({
    archivedAt: expect.any(String),
    stats: { createdCurrentWindow: 2, archivedCurrentWindow: 2 },
  });
});

test('the overview contains the onboarding status', async () => {
  const status = async () => (await read('overview')).onboardingStatus;
  expect(await status()).toEqual({ status: 'onboarding-started' });
  await feature('zebra');
  here.atDay(1);
  await feature('ape');
  expect(await status()).toEqual({ status: 'first-flag-created', feature: `${project}-zebra` });
  await seen(app.db, `${project}-ape`, 'development', here.iso(1));
  expect(await status()).toEqual({ status: 'onboarded' });
  // The result does not change when the feature is archived.
  await app.ask(`DELETE ${projects}/${project}/features/${project}-ape`);
  expect(await status()).toEqual({ status: 'onboarded' });
});
