import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';

let on: TestApp;
beforeAll(async () => {
  on = await testApp();
  await make(on.ask).project('watched-private', { mode: 'private' });
  await make(on.ask).feature('watched-secret', { project: 'watched-private' });
  await make(on.ask).feature('watched');
});

const newest = async (filter: string) =>
  (await on.ask(`GET /api/admin/search/events?limit=1&${filter}`)).json().events[0];
const read = (id: unknown, ask = on.ask) => ask(`GET /api/admin/search/events/${id}`);
const waiting = { timeout: 250_000, interval: 20 };

/** A request waits only briefly for the verification, so it is repeated until the result is known. */
const readChecked = (path: string, ask = on.ask) =>
  vi.waitFor(async () => {
    const body = (await ask(`GET /api/admin/search/events/${path}`)).json();
    expect(body.chain.state).not.toBe('checking');
    return body;
  }, waiting);

test('an event is returned as in the search, with its link and the state of the verification', async () => {
  const event = await newest('feature=IS:watched');
  const { chain, ...rest } = await readChecked(event.id);
  expect(rest.event).toEqual(event);
  const [previous] = (await on.ask(`GET /api/admin/search/events?id=IS:${event.id - 1}`)).json()
    .events;
  expect(chain).toEqual({
    state: 'verified',
    hash: event.hash,
    previousHash: previous.hash,
    isLinked: true,
    firstId: 1,
    verifiedThrough: expect.any(Number),
    verifiedAt: expect.stringMatching(/Z$/),
    fault: null,
  });
  expect(chain.verifiedThrough).toBeGreaterThanOrEqual(event.id);
});

test('an event lists the other events of its request', async () => {
  await on.ask('POST /api/admin/projects/default/features/watched/changes', {
    payload: {
      comment: 'Together',
      changes: [
        { action: 'updateFeature', payload: { stale: true } },
        { action: 'updateEnabled', environment: 'development', payload: { enabled: true } },
      ],
    },
  });
  const { events } = (await on.ask('GET /api/admin/search/events?query=Together')).json();
  const ids = events.map(({ id }: { id: number }) => id).reverse();
  expect(ids.length).toBeGreaterThan(2);
  for (const id of ids) expect((await read(id)).json().sameRequest).toEqual(ids);
});

test('an invisible event returns 404, and the verification does not reveal later events', async () => {
  const { ask } = await person(on);
  const secret = await newest('feature=IS:watched-secret');
  expect((await read(secret.id, ask)).statusCode).toBe(404);
  expect((await read(0)).statusCode).toBe(404);
  expect((await read('facet')).statusCode).toBe(404);
  const own = await newest('feature=IS:watched');
  await make(on.ask).feature('watched-secret-too', { project: 'watched-private' });
  const { chain } = await readChecked(own.id, ask);
  expect([chain.state, chain.verifiedThrough]).toEqual(['verified', own.id]);
});

test('a modified event breaks the chain from there on', async () => {
  const altered = await testApp();
  await make(altered.ask).feature('honest');
  await make(altered.ask).feature('later');
  const idOf = async (feature: string) =>
    (await altered.ask(`GET /api/admin/search/events?feature=IS:${feature}&limit=1`)).json()
      .events[0].id;
  const [honest, later] = [await idOf('honest'), await idOf('later')];
  await sql`alter table events disable trigger all`.execute(altered.db);
  await sql`update events set feature_name = 'forged' where id = ${honest}`.execute(altered.db);
  const chainOf = async (id: number) => (await readChecked(`${id}`, altered.ask)).chain;
  // A modified event is reported as broken immediately, however far the verification has come.
  await vi.waitFor(
    async () =>
      expect(await chainOf(honest)).toMatchObject({
        state: 'broken',
        isLinked: false,
        verifiedThrough: honest - 1,
        fault: `Event ${honest} was modified after it was recorded`,
      }),
    waiting,
  );
  expect(await chainOf(later)).toMatchObject({ state: 'broken', isLinked: true });
  expect(await chainOf(honest - 1)).toMatchObject({ state: 'verified', fault: null });
});

test('administrators can read the size of the log and whether it is intact', async () => {
  const whole = await testApp();
  await make(whole.ask).feature('counted');
  const [{ id: lastId }] = (await whole.ask('GET /api/admin/search/events?limit=1')).json().events;
  expect(await readChecked('state', whole.ask)).toEqual({
    firstId: 1,
    lastId,
    events: lastId,
    sizeBytes: expect.any(Number),
    chain: {
      state: 'verified',
      verifiedThrough: lastId,
      verifiedAt: expect.stringMatching(/Z$/),
      fault: null,
    },
  });
  const { ask } = await person(whole);
  expect((await ask('GET /api/admin/search/events/state')).statusCode).toBe(403);
  await sql`alter table events disable trigger all`.execute(whole.db);
  await sql`update events set feature_name = 'forged' where id = ${lastId}`.execute(whole.db);
  await make(whole.ask).feature('behind');
  const reread = await appOn(whole);
  const { chain } = await readChecked('state', reread.ask);
  expect(chain).toMatchObject({
    state: 'broken',
    verifiedThrough: lastId - 1,
    fault: `Event ${lastId} was modified after it was recorded`,
  });
});
