import { beforeAll, describe, expect, test } from 'vitest';
import { defineEvent, record } from '../../src/modules/events/index.ts';
import { type TestApp, testActor, testApp } from '../support/app.ts';
import { delivery, happened, integration, manyDeliveries } from '../support/deliveries.ts';
import { make } from '../support/make.ts';
import { customRole, person } from '../support/people.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const pathOf = (id: number | string) => `/api/admin/addons/${id}/events`;
type Ask = TestApp['ask'];
const list = async (id: number, query = '', ask: Ask = app.ask) => {
  const response = await ask(`GET ${pathOf(id)}${query}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json().integrationEvents as { id: string; event: { id: number } }[];
};
const idsOf = (records: readonly { id: string }[]) => records.map((record) => record.id);
const eventsOf = (records: readonly { event: { id: number } }[]) =>
  records.map(({ event }) => event.id);

/** An integration with this many records, and the ids of their events, newest first. */
async function filled(count: number): Promise<{ id: number; events: number[] }> {
  const id = await integration(app);
  const events: number[] = [];
  for (let each = 0; each < count; each += 1) {
    const eventId = await happened(app, { project: 'default' });
    await delivery(app, id, { eventId, createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, each)) });
    events.unshift(eventId);
  }
  return { id, events };
}

describe('GET /api/admin/addons/:id/events (4.3)', () => {
  let id: number;
  let events: number[];
  beforeAll(async () => {
    ({ id, events } = await filled(53));
  });

  test('returns the newest 50 records, or as many as limit says', async () => {
    expect(eventsOf(await list(id))).toEqual(events.slice(0, 50));
    expect(eventsOf(await list(id, '?limit=2'))).toEqual(events.slice(0, 2));
    expect(eventsOf(await list(id, '?limit=1000'))).toEqual(events);
  });

  test('skips offset records and returns nothing past the end, also for huge numbers', async () => {
    expect(eventsOf(await list(id, '?offset=50'))).toEqual(events.slice(50));
    expect(eventsOf(await list(id, '?limit=3&offset=7'))).toEqual(events.slice(7, 10));
    for (const offset of ['53', '100000000000000000000', '9'.repeat(400)]) {
      expect(await list(id, `?offset=${offset}`)).toEqual([]);
    }
  });

  test('returns at most 1000 records, also for a larger limit', async () => {
    for (const limit of ['1001', '99999999999999999999']) {
      expect(eventsOf(await list(id, `?limit=${limit}`))).toEqual(events);
    }
    const noisy = await integration(app);
    const something = defineEvent({ type: 'feature-created', label: 'x', summary: () => 'x' });
    await app.transact(testActor, async (tx) => {
      for (let each = 0; each < 1003; each += 1) record(tx, something({}));
    });
    const first = (await happened(app)) - 1003;
    await manyDeliveries(app, noisy, { first, count: 1003 });
    expect(await list(noisy, '?limit=5000')).toHaveLength(1000);
    expect(await list(noisy, '?limit=5000&offset=1000')).toHaveLength(3);
  });

  test.each([
    'limit=0',
    'limit=-1',
    'limit=abc',
    'limit=1.5',
    'limit=0x10',
    'limit=',
    'offset=-1',
    'offset=abc',
    'offset=1e3',
    'offset=',
    'state=lost',
    'state=',
    'state=IS_ANY_OF:',
    'state=IS_ANY_OF:failed,lost',
    'from=2026-02-30',
    'from=yesterday',
    'from=0000-01-01',
    'to=2026-13-01',
    'to=IS:2026-1-1',
    'event=abc',
    'event=1.5',
    'type=feature-creatd',
    'type=IS_ANY_OF:feature-created,nothing',
    'limit=1&limit=2',
    'offset=1&offset=2',
    'state=failed&state=failed',
    'event=1&event=2',
    'type=feature-created&type=feature-created',
    'from=2026-01-01&from=2026-01-01',
    'type=%00',
  ])('rejects %s with 400 and the path of the parameter', async (query) => {
    const response = await app.ask(`GET ${pathOf(id)}?${query}`);
    const { name, details } = response.json();
    expect([response.statusCode, name]).toEqual([400, 'BadDataError']);
    const path = `/query/${query.split('=')[0]}`;
    expect(details[0].path).toBe(path);
    expect(details[0].message).toContain(path);
  });

  test('reports all validation errors together and suggests a similar type', async () => {
    const response = await app.ask(`GET ${pathOf(id)}?type=feature-creatd&event=x&limit=0&from=1`);
    const { details } = response.json() as { details: { path: string; message: string }[] };
    expect(details.map(({ path }) => path).sort()).toEqual(
      ['/query/event', '/query/from', '/query/limit', '/query/type'].sort(),
    );
    expect(details.find(({ path }) => path === '/query/type')?.message).toContain(
      'feature-created',
    );
  });

  test.each([
    '2147483646',
    '2147483648',
    '99999999999999999999',
    '0',
    '-1',
    'abc',
    '1.5',
    '1e0',
    '0x1',
    '%20',
  ])('returns 404 for the unknown integration %s in all its endpoints', async (other) => {
    for (const address of [
      `GET ${pathOf(other)}`,
      `GET ${pathOf(other)}/01890000-0000-7000-8000-000000000000`,
      `GET /api/admin/addons/${other}/deliveries`,
      `GET /api/admin/addons/${other}/statistics`,
      `POST /api/admin/addons/${other}/test`,
      `POST /api/admin/addons/${other}/pause`,
      `POST /api/admin/addons/${other}/resume`,
      `POST ${pathOf(other)}/01890000-0000-7000-8000-000000000000/redeliver`,
    ] as const) {
      const response = await app.ask(address);
      expect([address, response.statusCode, response.json().name]).toEqual([
        address,
        404,
        'NotFoundError',
      ]);
    }
    const many = await app.ask(`POST /api/admin/addons/${other}/redeliver`, { payload: {} });
    expect(many.statusCode).toBe(404);
  });

  test('returns 404 for a deleted integration and for a record of another integration', async () => {
    const deleted = await integration(app, { deletedAt: new Date() });
    await delivery(app, deleted, { eventId: await happened(app) });
    expect((await app.ask(`GET ${pathOf(deleted)}`)).statusCode).toBe(404);
    const [first] = await list(id);
    const other = await integration(app);
    for (const record of [first?.id, 'abc', '01890000-0000-7000-8000-000000000000', '%00']) {
      const response = await app.ask(`GET ${pathOf(other)}/${record}`);
      expect([record, response.statusCode]).toEqual([record, record === '%00' ? 400 : 404]);
    }
  });

  test('returns only records of this integration', async () => {
    const [one, two] = [await integration(app), await integration(app)];
    const eventId = await happened(app);
    const made = [await delivery(app, one, { eventId }), await delivery(app, two, { eventId })];
    expect([idsOf(await list(one)), idsOf(await list(two))]).toEqual([[made[0]], [made[1]]]);
  });

  test('keeps the order of records when one changes later', async () => {
    const { id: own } = await filled(5);
    const before = idsOf(await list(own));
    await app.db
      .updateTable('deliveries')
      .set({
        outcome: 'failed',
        state: 'givenUp',
        state_details: 'Later.',
        attempted_at: new Date(),
      })
      .where('id', '=', before[2] as string)
      .execute();
    expect(idsOf(await list(own))).toEqual(before);
  });
});

describe('permission to read integration events', () => {
  test('is granted to administrators and to users with UPDATE_ADDON', async () => {
    const { id, events } = await filled(1);
    const editor = await person(app, { rootRole: 2 });
    const updater = await person(app, {
      rootRole: await customRole(app, 'root-custom', [{ name: 'UPDATE_ADDON' }]),
    });
    for (const { ask } of [app, editor, updater]) {
      expect(eventsOf(await list(id, '', ask))).toEqual(events);
    }
  });

  test('is otherwise denied: 403 names both permissions, 401 without credentials', async () => {
    const { id } = await filled(1);
    const creator = await person(app, {
      rootRole: await customRole(app, 'root-custom', [{ name: 'CREATE_ADDON' }]),
    });
    for (const { ask } of [await person(app), creator]) {
      const response = await ask(`GET ${pathOf(id)}`);
      expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
      expect(response.json().message).toContain('ADMIN or UPDATE_ADDON');
    }
    const nobody = await app.ask(`GET ${pathOf(id)}`, { headers: { authorization: '' } });
    expect([nobody.statusCode, nobody.json().name]).toEqual([401, 'AuthenticationRequired']);
  });

  test('excludes records of private projects the editor cannot see and records without a project', async () => {
    const id = await integration(app);
    await make(app.ask).project('secretive', { mode: 'private' });
    const events = {
      open: await happened(app, { project: 'default' }),
      hidden: await happened(app, { project: 'secretive' }),
      none: await happened(app, { project: null }),
    };
    const made: Record<string, string> = {};
    for (const [name, eventId] of Object.entries(events)) {
      made[name] = await delivery(app, id, { eventId });
    }
    const editor = await person(app, { rootRole: 2 });
    const insider = await person(app, { rootRole: 2, roles: { secretive: 5 } });
    expect(eventsOf(await list(id, '', editor.ask))).toEqual([events.open]);
    expect(eventsOf(await list(id, `?event=${events.hidden}`, editor.ask))).toEqual([]);
    expect(eventsOf(await list(id, '', insider.ask))).toEqual([events.hidden, events.open]);
    expect(eventsOf(await list(id))).toEqual([events.none, events.hidden, events.open]);
    const hidden = `${pathOf(id)}/${made.hidden}`;
    for (const address of [`GET ${hidden}`, `POST ${hidden}/redeliver`] as const) {
      expect((await editor.ask(address)).statusCode).toBe(404);
      expect((await insider.ask(address)).statusCode).toBeLessThan(300);
    }
    // Redelivered by the member: pending, and still hidden from the editor.
    const pending = async (ask: Ask) =>
      (await ask(`GET /api/admin/addons/${id}/deliveries`)).json();
    expect((await pending(editor.ask)).total).toEqual({ pending: 0 });
    expect((await pending(editor.ask)).deliveries).toHaveLength(1);
    expect((await pending(insider.ask)).total).toEqual({ pending: 1 });
    const backlog = async (ask: Ask) =>
      (await ask(`GET /api/admin/addons/${id}/statistics`)).json();
    expect(await backlog(editor.ask)).toMatchObject({ attempted: 1, pending: 0 });
    expect(await backlog(insider.ask)).toMatchObject({ attempted: 2, pending: 1 });
  });

  test('excludes integrations that only concern a private project: they are reported as not found', async () => {
    await make(app.ask).project('all-secret', { mode: 'private' });
    const id = await integration(app, { projects: ['all-secret'] });
    const editor = await person(app, { rootRole: 2 });
    expect((await editor.ask(`GET ${pathOf(id)}`)).statusCode).toBe(404);
    expect(await list(id)).toEqual([]);
  });
});
