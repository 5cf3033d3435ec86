import { gunzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readRevision } from '../../src/modules/insights/health/report/queries.ts';
import { appOn, type TestApp, testApp } from '../support/app.ts';
import { happen } from '../support/happen.ts';
import { make } from '../support/make.ts';
import { person } from '../support/people.ts';

let app: TestApp;
let other: TestApp;
let create: ReturnType<typeof make>;
let made = 0;
let project: string;
beforeAll(async () => {
  app = await testApp();
  other = await appOn(app);
  create = make(app.ask);
});
beforeEach(async () => {
  made += 1;
  project = `kept-${made}`;
  await create.project(project);
});

const pathOf = (id: string) => `/api/admin/projects/${id}/health-report`;
const named = (name: string) => `${project}-${name}`;
const read = (ask: TestApp['ask'] = app.ask, headers: Record<string, string> = {}) =>
  ask(`GET ${pathOf(project)}`, { headers });

const switchedOn = async (name: string) => {
  await create.feature(named(name), { project });
  await create.switchedOn(named(name), { project });
};

/** Writes what reported usage writes, without an event. */
const see = (db: TestApp['db'], name: string, at: string, environment = 'development') =>
  db
    .insertInto('feature_environments')
    .values({
      feature_name: named(name),
      environment,
      enabled: false,
      variants: '[]',
      last_seen_at: new Date(at),
    } as never)
    .onConflict((conflict) =>
      conflict
        .columns(['feature_name', 'environment'])
        .doUpdateSet({ last_seen_at: new Date(at) } as never),
    )
    .execute();

interface Seen {
  readonly name: string;
  readonly lastSeenAt?: string;
}

const seenAt = async (ask: TestApp['ask']): Promise<(string | undefined)[]> =>
  (await read(ask)).json().features.map(({ lastSeenAt }: Seen) => lastSeenAt);

describe('lastSeenAt in the health report', () => {
  const [first, later, latest] = [
    '2026-03-01T10:00:00.000Z',
    '2026-03-01T11:00:00.000Z',
    '2026-03-01T12:00:00.123Z',
  ];

  test('is updated at once on every instance, also for a feature seen earlier than others', async () => {
    await switchedOn('a');
    await switchedOn('b');
    const everywhere = async () => [await seenAt(app.ask), await seenAt(other.ask)];
    expect(await everywhere()).toEqual([Array(2), Array(2)].map((none) => [...none]));
    await see(app.db, 'a', latest);
    expect(await everywhere()).toEqual([
      [latest, undefined],
      [latest, undefined],
    ]);
    await see(app.db, 'b', first);
    expect(await everywhere()).toEqual([
      [latest, first],
      [latest, first],
    ]);
    await see(app.db, 'b', later);
    expect(await everywhere()).toEqual([
      [latest, later],
      [latest, later],
    ]);
    // The first usage in an environment where nothing was set.
    await see(app.db, 'b', latest, 'production');
    expect(await everywhere()).toEqual([
      [latest, latest],
      [latest, latest],
    ]);
  });

  test('is updated when its transaction commits, and not before', async () => {
    await switchedOn('a');
    await app.db.transaction().execute(async (tx) => {
      await see(tx as never, 'a', first);
      expect(await seenAt(app.ask)).toEqual([undefined]);
      expect(await seenAt(app.ask)).toEqual([undefined]);
    });
    expect(await seenAt(app.ask)).toEqual([first]);
  });

  test('can be written by concurrent transactions without waiting', async () => {
    await switchedOn('a');
    await switchedOn('b');
    await app.db.transaction().execute(async (one) => {
      await see(one as never, 'a', first);
      await app.db.transaction().execute((two) => see(two as never, 'b', later));
      expect(await seenAt(app.ask)).toEqual([undefined, later]);
    });
    expect(await seenAt(app.ask)).toEqual([first, later]);
  });

  test('changes the ETag of its own project only', async () => {
    await switchedOn('a');
    const elsewhere = project;
    const tag = String((await read()).headers.etag);
    made += 1;
    project = `kept-${made}`;
    await create.project(project);
    await switchedOn('a');
    await see(app.db, 'a', latest);
    const same = await app.ask(`GET ${pathOf(elsewhere)}`, { headers: { 'if-none-match': tag } });
    expect(same.statusCode).toBe(304);
  });
});

test('a lifecycle stage entered without an event is reported at once by every instance', async () => {
  await switchedOn('a');
  const stageIn = async ({ ask }: TestApp) => (await read(ask)).json().features[0].lifecycle.stage;
  expect([await stageIn(app), await stageIn(other)]).toEqual(['initial', 'initial']);
  await app.db
    .insertInto('feature_lifecycles')
    .values({ feature_name: named('a'), stage: 'live', entered_at: new Date() } as never)
    .execute();
  expect([await stageIn(app), await stageIn(other)]).toEqual(['live', 'live']);
});

test('removing old events does not invalidate a cached report, other changes to settings do', async () => {
  const { touched: _, ...known } = await readRevision(app.db, project);
  const { rewrites } = known;
  await happen(app.db, { type: 'setting-updated', data: { id: 'events.retention' } });
  expect(await readRevision(app.db, project, known)).toMatchObject({ touched: false, rewrites });
  await happen(app.db, { type: 'setting-updated', data: { id: 'something else' } });
  expect((await readRevision(app.db, project, known)).touched).toBe(true);
});

test('an event log shorter than before invalidates a cached report', async () => {
  const { touched: _, ...known } = await readRevision(app.db, project);
  expect((await readRevision(app.db, project, known)).touched).toBe(false);
  expect((await readRevision(app.db, project, { ...known, head: known.head + 1 })).touched).toBe(
    true,
  );
});

describe('a health report with Accept-Encoding: gzip', () => {
  const packed = { 'accept-encoding': 'br;q=1.0, gzip;q=0.8' };

  test('is compressed with a weak ETag, which returns 304', async () => {
    await switchedOn('plain');
    await create.feature(named('described'), { project, description: 'größer als 日本' });
    const plain = await read();
    for (let times = 0; times < 2; times += 1) {
      const answer = await read(app.ask, packed);
      expect(answer.headers).toMatchObject({
        'content-encoding': 'gzip',
        vary: 'Accept-Encoding',
        etag: `W/${plain.headers.etag}`,
        'content-type': 'application/json; charset=utf-8',
      });
      expect(gunzipSync(answer.rawPayload).toString()).toBe(plain.body);
    }
    const known = { 'if-none-match': `W/${plain.headers.etag}` };
    const same = await read(app.ask, { ...packed, ...known });
    expect([same.statusCode, same.body]).toEqual([304, '']);
    expect(same.headers.etag).toBe(`W/${plain.headers.etag}`);
    expect(same.headers.vary).toBe('Accept-Encoding');
    expect(same.headers).not.toHaveProperty('content-encoding');
  });

  test.each(['gzip;q=0', 'br, deflate', 'identity', 'gzip;q=0.0, *'])(
    'is not compressed for %s',
    async (coding) => {
      const { headers } = await read(app.ask, { 'accept-encoding': coding });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(headers.etag).toMatch(/^"/);
    },
  );

  test('contains the favorites of the caller', async () => {
    await switchedOn('a');
    const fan = await person(app);
    await fan.ask(`POST /api/admin/projects/${project}/features/${named('a')}/favorites`);
    const favorites = async (ask: TestApp['ask']) =>
      JSON.parse(gunzipSync((await read(ask, packed)).rawPayload).toString()).features.map(
        ({ favorite }: { favorite: boolean }) => favorite,
      );
    expect([await favorites(fan.ask), await favorites(app.ask)]).toEqual([[true], [false]]);
    await fan.ask(`DELETE /api/admin/projects/${project}/features/${named('a')}/favorites`);
    expect(await favorites(fan.ask)).toEqual([false]);
  });
});

test('concurrent reads on two instances include every change committed before they started', async () => {
  for (let count = 1; count <= 8; count += 1) {
    const asking = Array.from({ length: 6 }, () => read(count % 2 ? app.ask : other.ask));
    await create.feature(named(`n${count}`), { project });
    const after = await Promise.all([read(), read(other.ask), read(), read(other.ask)]);
    for (const response of after) expect(response.json().activeCount).toBe(count);
    for (const response of await Promise.all(asking)) {
      expect(response.json().activeCount).toBeGreaterThanOrEqual(count - 1);
    }
  }
});
