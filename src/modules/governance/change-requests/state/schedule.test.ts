import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import { closeLater } from '../../../../../test/support/closing.ts';
import { make } from '../../../../../test/support/make.ts';
import { type Person, person } from '../../../../../test/support/people.ts';
import { markRestored } from '../../../../platform/db/first-start.ts';
import type { Listener } from '../../../../platform/db/listen.ts';
import { createLogger } from '../../../../platform/log.ts';
import { systemActor } from '../../../access/gate/index.ts';
import { schedulesChannel } from './queries.ts';
import { startScheduler } from './scheduler.ts';

let app: TestApp;
let ada: Person;
beforeAll(async () => {
  app = await testApp();
  // Two instances, of which one applies each request.
  await appOn(app, { jobs: 'on' });
  await appOn(app, { jobs: 'on' });
  ada = await person(app, { rootRole: 2 });
});

const place = '/api/admin/projects/default/environments/production/change-requests';
const pathOf = (id: number) => `/api/admin/projects/default/change-requests/${id}`;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

const enable = (feature: string, enabled = true) => ({
  feature,
  action: 'updateEnabled',
  payload: { enabled },
});

async function schedule(
  who: Person,
  change: object,
  scheduledAt: string,
  {
    in: environment = 'production',
    ...more
  }: { readonly in?: string; [key: string]: unknown } = {},
) {
  const path = place.replace('production', environment) as typeof place;
  const { id } = (await who.ask(`POST ${path}`, { payload: change })).json();
  const payload = { state: 'Scheduled', scheduledAt, ...more };
  const response = await who.ask(`PUT ${pathOf(id)}/state`, { payload });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

/** Makes a request due, as if its author had scheduled it for now. */
async function letTimeCome(id: number): Promise<void> {
  await app.db
    .updateTable('change_request_schedules')
    .set({ scheduled_at: new Date() })
    .where('request_id', '=', id)
    .execute();
  await sql`notify ${sql.id(schedulesChannel)}`.execute(app.db);
}

const read = async (id: number) => (await app.ask(`GET ${pathOf(id)}`)).json();

const eventsOf = async (id: number) => {
  const rows = await app.db
    .selectFrom('events')
    .select(['type', 'data', 'created_by as createdBy'])
    .orderBy('id')
    .execute();
  return rows.filter(({ data }) => (data as { changeRequestId?: number })?.changeRequestId === id);
};

const becomes = (id: number, expected: object) =>
  vi.waitFor(async () => expect(await read(id)).toMatchObject(expected), { timeout: 60_000 });

test('scheduled requests are applied once, at their time, as the user who scheduled them', async () => {
  await make(app.ask).feature('timed');
  const first = await schedule(ada, enable('timed'), inAnHour());
  expect(first).toMatchObject({ state: 'Scheduled', schedule: { status: 'pending' } });
  const second = await schedule(ada, enable('timed', false), inAnHour());
  expect(second.features[0].changes[0].scheduleConflicts).toEqual({
    changeRequests: [{ id: first.id }],
  });
  await letTimeCome(first.id);
  await becomes(first.id, { state: 'Applied' });
  expect(await read(second.id)).toMatchObject({ state: 'Scheduled', conflicts: [] });
  await letTimeCome(second.id);
  await becomes(second.id, { state: 'Applied' });
  for (const [id, type] of [
    [first.id, 'feature-environment-enabled'],
    [second.id, 'feature-environment-disabled'],
  ]) {
    const events = await eventsOf(id);
    const types = events.map((event) => event.type);
    expect(types.slice(types.indexOf('change-request-scheduled'))).toEqual(
      expect.arrayContaining([type, 'change-request-applied']),
    );
    expect(types.filter((each) => each === 'change-request-applied')).toHaveLength(1);
    expect(types.at(-1)).toBe('change-request-scheduled-application-success');
    expect(events.at(-1)?.createdBy).toBe(ada.name);
  }
});

test('each of many requests that are due at the same time is applied exactly once', async () => {
  const ids: number[] = [];
  for (let index = 0; index < 10; index += 1) {
    await make(app.ask).feature(`many-${index}`);
    ids.push((await schedule(ada, enable(`many-${index}`), inAnHour())).id);
  }
  await app.db
    .updateTable('change_request_schedules')
    .set({ scheduled_at: new Date() })
    .where('request_id', 'in', ids)
    .execute();
  await sql`notify ${sql.id(schedulesChannel)}`.execute(app.db);
  for (const id of ids) {
    await becomes(id, { state: 'Applied' });
    const types = (await eventsOf(id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'feature-environment-enabled')).toHaveLength(1);
    expect(types.filter((type) => type === 'change-request-applied')).toHaveLength(1);
  }
});

test('a local time is stored with its time zone', async () => {
  await make(app.ask).feature('zoned');
  const year = new Date().getFullYear() + 1;
  const { id, schedule: planned } = await schedule(ada, enable('zoned'), `${year}-07-01T09:00`, {
    timeZone: 'Europe/Oslo',
    whenOverdue: 'suspend',
  });
  expect(planned).toEqual({
    scheduledAt: `${year}-07-01T07:00:00.000Z`,
    timeZone: 'Europe/Oslo',
    whenOverdue: 'suspend',
    status: 'pending',
  });
  const scheduled = await app.ask(
    'GET /api/admin/projects/default/change-requests/scheduled?feature=zoned',
  );
  expect(scheduled.json()).toEqual([{ id, environment: 'production' }]);
  const none = await app.ask('GET /api/admin/projects/default/change-requests/scheduled');
  expect(none.json()).toEqual([]);
});

test.each([
  [{}],
  [{ scheduledAt: 'tomorrow' }],
  [{ scheduledAt: '2020-01-01T00:00:00Z' }],
  [{ scheduledAt: '9020-01-01T00:00:00Z' }],
  [{ scheduledAt: '2031-01-01T00:00' }],
  [{ scheduledAt: '2031-01-01T00:00', timeZone: 'Mars/Base' }],
])('an invalid time is refused: %j', async (payload) => {
  const eve = await person(app, { rootRole: 2 });
  await make(app.ask)
    .feature('refused-time')
    .catch(() => undefined);
  const { id } = (await eve.ask(`POST ${place}`, { payload: enable('refused-time') })).json();
  const response = await eve.ask(`PUT ${pathOf(id)}/state`, {
    payload: { state: 'Scheduled', ...payload },
  });
  expect(response.statusCode, response.body).toBe(400);
});

test('a schedule is suspended when others change what it would change, and can then be edited', async () => {
  await make(app.ask).feature('touched');
  const strategy = await make(app.ask).strategy(
    'touched',
    { name: 'default' },
    { environment: 'production' },
  );
  const { id } = await schedule(
    ada,
    { feature: 'touched', action: 'deleteStrategy', payload: { id: strategy.id } },
    inAnHour(),
  );
  const change = (await read(id)).features[0].changes[0];
  const remove = () => ada.ask(`DELETE ${pathOf(id)}/changes/${change.id}`);
  expect((await remove()).statusCode).toBe(403);
  await app.ask(
    `PUT /api/admin/projects/default/features/touched/environments/production/strategies/${strategy.id}`,
    { payload: { name: 'default', title: 'Changed' } },
  );
  await becomes(id, {
    state: 'Scheduled',
    schedule: { status: 'suspended', reason: expect.stringContaining('strategy changed') },
  });
  expect((await eventsOf(id)).at(-1)?.type).toBe('change-request-schedule-suspended');
  const resolved = await ada.ask(`POST ${pathOf(id)}/changes/${change.id}/resolve`, {
    payload: { resolution: 'keep' },
  });
  expect(resolved.json()).toMatchObject({ state: 'Approved', conflicts: [] });
});

test('the first schedule is suspended even if the change comes before an instance knows the schedule', async () => {
  const quiet = await testApp();
  const author = await person(quiet, { rootRole: 2 });
  let wake: () => void = () => undefined;
  let reads = 0;
  const clock = () => {
    reads += 1;
    return new Date();
  };
  const stop = startScheduler({
    ...{ db: quiet.db, transact: quiet.transact, clock },
    ...{ log: createLogger('silent'), system: systemActor },
    listener: {
      on: (channel: string, callback: () => void) => {
        if (channel === schedulesChannel) wake = callback;
        return () => undefined;
      },
    } as unknown as Listener,
  });
  closeLater(stop);
  // Each look reads the clock twice. At the third time, the first look is over and has found no schedules.
  wake();
  await expect.poll(() => reads).toBeGreaterThan(2);
  await make(quiet.ask).feature('raced');
  const strategy = await make(quiet.ask).strategy(
    'raced',
    { name: 'default' },
    { environment: 'production' },
  );
  const { id } = await schedule(
    author,
    { feature: 'raced', action: 'deleteStrategy', payload: { id: strategy.id } },
    inAnHour(),
  );
  await quiet.ask(
    `PUT /api/admin/projects/default/features/raced/environments/production/strategies/${strategy.id}`,
    { payload: { name: 'default', title: 'Changed' } },
  );
  wake();
  const state = async () => (await quiet.ask(`GET ${pathOf(id)}`)).json();
  await vi.waitFor(
    async () => expect(await state()).toMatchObject({ schedule: { status: 'suspended' } }),
    { timeout: 60_000 },
  );
});

test('a schedule is suspended when a segment of its new strategy or the stickiness of the project changes', async () => {
  const names = ['segmented', 'sticky'] as const;
  for (const name of names) await make(app.ask).feature(name);
  const { id: segment } = await make(app.ask).segment('scheduled-segment');
  const add = (feature: string, strategy: object) => ({
    ...{ feature, action: 'addStrategy' },
    payload: { name: 'flexibleRollout', ...strategy },
  });
  const first = await schedule(
    ada,
    add('segmented', { segments: [segment], parameters: { stickiness: 'userId' } }),
    inAnHour(),
  );
  const second = await schedule(ada, add('sticky', {}), inAnHour());
  const widened = await app.ask(`PUT /api/admin/segments/${segment}`, {
    payload: { name: 'scheduled-segment', constraints: [] },
  });
  expect(widened.statusCode, widened.body).toBe(204);
  const suspended = (what: string) => ({
    schedule: { status: 'suspended', reason: expect.stringContaining(what) },
  });
  await becomes(first.id, suspended('A segment'));
  const changed = await app.ask('PUT /api/admin/projects/default', {
    payload: { name: 'Default', defaultStickiness: 'userId' },
  });
  expect(changed.statusCode, changed.body).toBe(200);
  await becomes(second.id, suspended('default stickiness'));
});

test('a schedule is suspended when a segment of the default strategy that it adds changes', async () => {
  const { id: segment } = await make(app.ask).segment('default-segment');
  await app.ask('POST /api/admin/projects/default/environments/development/default-strategy', {
    payload: { name: 'flexibleRollout', segments: [segment] },
  });
  const [one, several] = ['enabled-once', 'enabled-in-a-set'] as const;
  for (const name of [one, several]) await make(app.ask).feature(name);
  const { payload, action } = enable(several);
  const changes = [{ action, payload, environment: 'development' }];
  const at = { in: 'development' };
  const first = await schedule(ada, enable(one), inAnHour(), at);
  const set = { feature: several, action: 'saveFeatureChanges', payload: { changes } };
  const second = await schedule(ada, set, inAnHour(), at);
  const changed = await app.ask(`PUT /api/admin/segments/${segment}`, {
    payload: { name: 'default-segment', constraints: [] },
  });
  expect(changed.statusCode, changed.body).toBe(204);
  for (const { id } of [first, second]) {
    await becomes(id, {
      schedule: { status: 'suspended', reason: expect.stringContaining('A segment') },
    });
  }
});

test('a schedule fails, with the reason, if its changes are refused', async () => {
  await make(app.ask).feature('failing');
  const editor = await person(app, { rootRole: 2 });
  const { id } = await schedule(editor, enable('failing'), inAnHour());
  await app.db.updateTable('users').set({ root_role: 3 }).where('id', '=', editor.id).execute();
  await letTimeCome(id);
  await becomes(id, {
    state: 'Scheduled',
    schedule: { status: 'failed', failureReason: expect.stringContaining('UPDATE_FEATURE') },
  });
  expect((await eventsOf(id)).at(-1)?.type).toBe('change-request-scheduled-application-failure');
});

test('a due schedule waits for the end of maintenance mode', async () => {
  await make(app.ask).feature('maintained');
  const { id } = await schedule(ada, enable('maintained'), inAnHour());
  const maintenance = (enabled: boolean) =>
    app.ask('POST /api/admin/maintenance', { payload: { enabled } });
  await maintenance(true);
  await letTimeCome(id);
  await vi.waitFor(async () => {
    const { rows } = await sql<{ waiting: boolean }>`
      select scheduled_at < now() - interval '1 second' as waiting
      from change_request_schedules where request_id = ${id} and status = 'pending'`.execute(
      app.db,
    );
    expect(rows).toEqual([{ waiting: true }]);
  }, 60_000);
  expect((await maintenance(false)).statusCode).toBe(204);
  await becomes(id, { state: 'Applied' });
});

test('the schedule of a deleted account is suspended when it is due', async () => {
  await make(app.ask).feature('orphaned');
  const editor = await person(app, { rootRole: 2 });
  const { id } = await schedule(editor, enable('orphaned'), inAnHour());
  await app.db
    .updateTable('users')
    .set({ deleted_at: new Date() })
    .where('id', '=', editor.id)
    .execute();
  await letTimeCome(id);
  await becomes(id, { state: 'Scheduled', schedule: { status: 'suspended' } });
});

/** Stops a server with an overdue schedule for each of these choices, and returns what the next start does with them. */
async function startedLate(
  choices: readonly ('apply' | 'suspend')[],
  { wasRestored = false }: { readonly wasRestored?: boolean } = {},
) {
  const down = await testApp();
  const eve = await person(down, { rootRole: 2 });
  const ids: number[] = [];
  for (const whenOverdue of choices) {
    await make(down.ask).feature(`late-${whenOverdue}`);
    const { id } = (
      await eve.ask(`POST ${place}`, { payload: enable(`late-${whenOverdue}`) })
    ).json();
    await eve.ask(`PUT ${pathOf(id)}/state`, {
      payload: { state: 'Scheduled', scheduledAt: inAnHour(), whenOverdue },
    });
    ids.push(id);
  }
  await down.db
    .updateTable('change_request_schedules')
    .set({ scheduled_at: new Date(Date.now() - 600_000) })
    .execute();
  if (wasRestored) await markRestored(down.db);
  const up = await appOn(down, { jobs: 'on' });
  return async () => {
    const found = [];
    for (const id of ids) found.push((await up.ask(`GET ${pathOf(id)}`)).json());
    return found;
  };
}

test('overdue schedules are applied or suspended at the next start, as their author chose', async () => {
  const states = await startedLate(['apply', 'suspend']);
  await vi.waitFor(
    async () =>
      expect(await states()).toMatchObject([
        { state: 'Applied' },
        { state: 'Scheduled', schedule: { status: 'suspended' } },
      ]),
    { timeout: 60_000 },
  );
});

test('schedules that were due before a backup was restored are suspended', async () => {
  const states = await startedLate(['apply'], { wasRestored: true });
  const reason = 'A backup was restored after the scheduled time';
  await vi.waitFor(
    async () =>
      expect(await states()).toMatchObject([
        { state: 'Scheduled', schedule: { status: 'suspended', reason } },
      ]),
    { timeout: 60_000 },
  );
});
