import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../test/support/app.ts';
import { make } from '../../../test/support/make.ts';
import { person } from '../../../test/support/people.ts';
import { countEvents } from '../../../test/support/recorded.ts';
import { createLogger } from '../../platform/log.ts';

/** Later than the creation of the test database, regardless of when the tests run. */
const now = new Date('2099-11-16T12:00:00Z');
const dashboard = '/api/admin/personal-dashboard';
const lines: string[] = [];

let app: TestApp;
beforeAll(async () => {
  app = await appOn(await testApp(), {
    clock: () => now,
    log: createLogger('info', { write: (line: string) => void lines.push(line) }),
  });
});

const imageUrl = (id: number) => `http://localhost:4242/avatars/${id}.svg`;

describe('the personal dashboard', () => {
  test("contains the user's projects and features, with owners and administrators", async () => {
    const { project, feature } = make(app.ask);
    for (const id of ['mine', 'starred', 'others']) await project(id);
    await project('hidden', { mode: 'private' });
    const owner = await person(app, { roles: { mine: 4, hidden: 4 } });
    const ada = await person(app, { roles: { mine: 5 } });
    await ada.ask('POST /api/admin/projects/starred/favorites');
    await make(ada.ask).feature('created', { project: 'mine', type: 'experiment' });
    await feature('favoured', { project: 'others' });
    await feature('not-mine', { project: 'mine' });
    await ada.ask('POST /api/admin/projects/others/features/favoured/favorites');
    const answer = (await ada.ask(`GET ${dashboard}`)).json();
    expect(answer).toMatchObject({
      projects: [
        { id: 'mine', name: 'mine', health: 100, memberCount: 2, featureCount: 2 },
        { id: 'starred', name: 'starred', health: 100, memberCount: 0, featureCount: 0 },
      ],
      projectOwners: [{ ownerType: 'user', name: owner.name, imageUrl: imageUrl(owner.id) }],
    });
    expect(answer.flags.map(({ name }: { name: string }) => name).sort()).toEqual([
      'created',
      'favoured',
    ]);
    const first = answer.admins.find(({ username }: { username: string }) => username === 'admin');
    expect(first).toEqual({
      id: expect.any(Number),
      name: expect.any(String),
      username: 'admin',
      imageUrl: imageUrl(first.id),
    });
    expect(JSON.stringify(answer)).not.toContain('hidden');
  });

  test('contains all projects for an administrator', async () => {
    const admin = await person(app, { rootRole: 1 });
    const { projects } = (await admin.ask(`GET ${dashboard}`)).json();
    const { projects: all } = (await app.ask('GET /api/admin/projects')).json();
    expect(projects.map(({ id }: { id: string }) => id)).toEqual(
      all.map(({ id }: { id: string }) => id),
    );
  });

  test('contains health and latest events of one project', async () => {
    await make(app.ask).project('detailed');
    const owner = await person(app, { roles: { detailed: 4 } });
    const { feature } = make(app.ask);
    await feature('detailed-1', { project: 'detailed', stale: true });
    await feature('detailed-2', { project: 'detailed', createdAt: '2099-01-01T00:00:00Z' });
    await feature('detailed-3', { project: 'detailed' });
    const health = (day: string, value: number) => ({
      project: 'detailed',
      day,
      total: 1,
      stale: 0,
      potentially_stale: 0,
      health: value,
      reconstructed: false,
    });
    await app.db
      .insertInto('health_snapshots')
      .values([
        health('2099-11-15', 80),
        health('2099-10-19', 61),
        health('2099-10-18', 10),
        health('2099-09-20', 1),
      ])
      .execute();
    const answer = (await owner.ask(`GET ${dashboard}/detailed`)).json();
    expect(answer).toMatchObject({
      insights: {
        health: 33,
        avgHealthCurrentWindow: 71,
        avgHealthPastWindow: 10,
        totalFlags: 3,
        activeFlags: 1,
        staleFlags: 1,
        potentiallyStaleFlags: 1,
      },
      owners: [{ ownerType: 'user', name: owner.name }],
      roles: [{ id: 4, name: 'Owner', type: 'project' }],
      onboardingStatus: { status: 'first-flag-created', feature: 'detailed-2' },
    });
    const { events } = (
      await app.ask('GET /api/admin/search/events?project=IS:detailed&limit=5')
    ).json();
    expect(answer.latestEvents).toEqual(
      events.map((event: { id: number; createdByUserId: number } & Record<string, unknown>) => ({
        id: event.id,
        createdAt: event.createdAt,
        createdBy: event.createdBy,
        createdByImageUrl: imageUrl(event.createdByUserId),
        summary: event.summary,
      })),
    );
  });

  test('returns 403 for an API token and 404 for a hidden project', async () => {
    expect((await app.ask(`GET ${dashboard}`)).statusCode).toBe(403);
    const stranger = await person(app);
    expect((await stranger.ask(`GET ${dashboard}/hidden`)).statusCode).toBe(404);
    expect((await stranger.ask(`GET ${dashboard}/no-such-project`)).statusCode).toBe(404);
  });
});

test('an error reported by the UI is logged and not recorded', async () => {
  const viewer = await person(app);
  const before = await countEvents(app.db);
  const response = await viewer.ask('POST /api/admin/record-ui-error', {
    payload: { errorMessage: 'x is not a function', errorStack: 'at y' },
  });
  expect([response.statusCode, response.body]).toEqual([204, '']);
  expect(await countEvents(app.db)).toBe(before);
  const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'UI error');
  expect(line).toMatchObject({
    userId: viewer.id,
    errorMessage: 'x is not a function',
    errorStack: 'at y',
  });
});

test('UI errors are shortened and logged at a limited rate, and dropped ones are counted', async () => {
  const viewer = await person(app);
  const report = () =>
    viewer.ask('POST /api/admin/record-ui-error', {
      payload: { errorMessage: 'm'.repeat(10_000), errorStack: 's'.repeat(100_000) },
    });
  const before = lines.length;
  for (let nth = 0; nth < 50; nth += 1) expect((await report()).statusCode).toBe(204);
  const written = lines.slice(before).filter((line) => line.includes('UI error'));
  // Ten at once, then two a minute: even a slow machine sends fifty requests in less than ten minutes.
  expect(written.length).toBeLessThan(30);
  for (const line of written) expect(line.length).toBeLessThan(6_000);
  const other = await person(app);
  await other.ask('POST /api/admin/record-ui-error', { payload: { errorMessage: 'another' } });
  const told = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'UI error');
  const dropped = told.reduce((sum, line) => sum + (line.dropped ?? 0), 0);
  expect([dropped, told.at(-1).errorMessage]).toEqual([50 - written.length, 'another']);
});

test('endpoints of features that Burgee lacks return empty or disabled values', async () => {
  const viewer = await person(app);
  const get = async (path: string) => (await viewer.ask(`GET /api/admin/${path}`)).json();
  expect(await get('telemetry/settings')).toEqual({
    versionInfoCollectionEnabled: false,
    featureInfoCollectionEnabled: false,
  });
  expect(await get('license/check')).toEqual({ isValid: true, message: '' });
  expect((await app.ask('GET /api/admin/scim-settings')).json()).toMatchObject({ enabled: false });
  expect(await get('banners')).toEqual({ banners: [] });
  expect(await get('notifications')).toEqual([]);
  const requests = 'projects/default/change-requests';
  expect(await get(`${requests}/config`)).toMatchObject([
    {
      environment: 'development',
      type: 'development',
      changeRequestEnabled: false,
      requiredApprovals: null,
    },
    {
      environment: 'production',
      type: 'production',
      changeRequestEnabled: false,
      requiredApprovals: null,
    },
  ]);
  for (const path of ['', '/pending', '/pending/some-feature', '/scheduled']) {
    expect(await get(`${requests}${path}`)).toEqual([]);
  }
  expect(await get(`${requests}/count`)).toMatchObject({ total: 0, approved: 0 });
  expect(await get(`${requests}/actionable`)).toEqual({ total: 0 });
});
