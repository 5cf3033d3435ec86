import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../test/support/app.ts';
import { applyToHistory, differencesFromPresent } from '../../../test/support/history.ts';
import { make } from '../../../test/support/make.ts';
import { person } from '../../../test/support/people.ts';
import { defineEvent, record } from '../events/index.ts';
import { removeOldStates } from './catch-up.ts';

const admin = '/api/admin';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const lastEventIn = async ({ db }: Pick<TestApp, 'db'>): Promise<number> => {
  const { id } = await db
    .selectFrom('events')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  return Number(id);
};

const headOf = () => lastEventIn(app);

/** What an import records. */
const imported = defineEvent({ type: 'feature-import', summary: ({ user }) => user });

describe('a moment', () => {
  test('can be a time', async () => {
    await make(app.ask).feature('history-timed', { description: 'first' });
    const path = `${admin}/projects/default/features/history-timed`;
    const before = await headOf();
    const [{ createdAt } = { createdAt: new Date() }] = await app.db
      .selectFrom('events')
      .where('id', '=', before)
      .select('created_at as createdAt')
      .execute();
    await expect.poll(() => Date.now()).toBeGreaterThan(createdAt.getTime());
    await app.ask(`PUT ${path}`, { payload: { description: 'second' } });
    const then = await app.ask(`GET ${path}?asOf=${createdAt.toISOString()}`);
    expect(then.json()).toMatchObject({ description: 'first' });
    const offset = createdAt.toISOString().replace('Z', '%2B00:00');
    expect((await app.ask(`GET ${path}?asOf=${offset}`)).json()).toEqual(then.json());
    const now = await app.ask(`GET ${path}?asOf=${new Date().toISOString()}`);
    expect(now.json()).toMatchObject({ description: 'second' });
  });

  test('is rejected with the reason if it does not exist, is in the future, or is unknown', async () => {
    await make(app.ask).feature('history-moments');
    const ask = async (asOf: string) => {
      const response = await app.ask(
        `GET ${admin}/projects/default/features/history-moments?asOf=${asOf}`,
      );
      return [response.statusCode, response.json().details[0].message];
    };
    expect(await ask('99999999')).toEqual([404, "Event '99999999' not found"]);
    expect(await ask('1')).toEqual([404, expect.stringContaining('history of this installation')]);
    expect(await ask('yesterday')).toEqual([400, expect.stringContaining('the ID of an event')]);
    expect(await ask('2026-99-99T00:00:00Z')).toEqual([400, expect.stringContaining('asOf')]);
    expect(await ask('2026-02-30T00:00:00Z')).toEqual([400, expect.stringContaining('asOf')]);
    expect(await ask('2999-01-01T00:00:00Z')).toEqual([400, 'asOf must not be in the future']);
  });

  test('before the installation is unknown, but a range of events may begin there', async () => {
    const early = '2001-01-01T00:00:00Z';
    const { statusCode, body } = await app.ask(`GET ${admin}/projects?asOf=${early}`);
    expect([statusCode, body]).toEqual([404, expect.stringContaining('begins later')]);
    await make(app.ask).feature('history-first-day');
    const to = new Date().toISOString();
    const incident = await app.ask(
      `GET ${admin}/history/incident?from=${early}&to=${to}&environment=production`,
    );
    expect([incident.statusCode, incident.body]).toEqual([
      200,
      expect.stringContaining('history-first-day'),
    ]);
    const nothing = await app.ask(
      `GET ${admin}/history/incident?from=${early}&to=2002-01-01T00:00:00Z&environment=production`,
    );
    expect([nothing.statusCode, nothing.json().events]).toEqual([200, []]);
    const late = await app.ask(
      `GET ${admin}/history/difference?from=2999-01-01T00:00:00Z&to=${to}`,
    );
    expect([late.statusCode, late.json().details]).toEqual([
      400,
      [{ path: '/query/from', message: '/query/from must not be in the future' }],
    ]);
  });

  test('before the retained log is unknown, and states that ended before it are removed', async () => {
    const own = await testApp();
    const create = make(own.ask);
    await create.feature('retained');
    const path = `${admin}/projects/default/features/retained`;
    await own.ask(`PUT ${path}`, { payload: { description: 'early' } });
    await own.ask(`PUT ${path}`, { payload: { description: 'late' } });
    await applyToHistory(own);
    const id = await lastEventIn(own);
    await own.db.updateTable('event_log').set({ anchor_id: id }).execute();
    await own.transact(testActor, removeOldStates);
    const states = await own.db
      .selectFrom('history_states')
      .where('kind', '=', 'feature')
      .select('state')
      .execute();
    expect(states).toEqual([{ state: expect.objectContaining({ description: 'late' }) }]);
    const response = await own.ask(`GET ${path}?asOf=${id - 1}`);
    expect([response.statusCode, response.json().message]).toEqual([
      404,
      expect.stringContaining('removed by retention'),
    ]);
    expect((await own.ask(`GET ${path}?asOf=${id}`)).json()).toMatchObject({ description: 'late' });
  });

  test('shows when a role in a project was taken away, after retention has removed earlier events', async () => {
    const own = await testApp();
    const member = await person(own, { roles: { default: 5 } });
    const access = `${admin}/projects/default/users/${member.id}/roles`;
    const removal = await own.ask(`DELETE ${access}`);
    expect(removal.statusCode, removal.body).toBe(200);
    await make(own.ask).feature('after-the-removal');
    const read = async (moment = '') =>
      (await own.ask(`GET ${admin}/projects/default/overview${moment}`)).json().updatedAt;
    const updatedAt = await read();
    await applyToHistory(own);
    const id = await lastEventIn(own);
    await own.db.updateTable('event_log').set({ anchor_id: id }).execute();
    await own.transact(testActor, removeOldStates);
    await own.ask(`PUT ${admin}/projects/default`, { payload: { name: 'Later' } });
    expect(await read(`?asOf=${id}`)).toBe(updatedAt);
  });

  test('during an import is unknown, and the history continues with the imported state', async () => {
    const own = await testApp();
    const create = make(own.ask);
    await create.feature('imported-over', { description: 'ours' });
    const path = `${admin}/projects/default/features/imported-over`;
    await applyToHistory(own);
    const ours = await lastEventIn(own);
    await own.transact(testActor, async (tx) => {
      await tx.db.updateTable('features').set({ description: 'theirs' }).execute();
      record(tx, imported({ data: { importedAs: 'imported-over', importedFrom: 'elsewhere' } }));
      record(tx, imported({ data: { importedAs: 'other', importedFrom: 'elsewhere' } }));
    });
    await applyToHistory(own);
    expect(await differencesFromPresent(own)).toEqual([]);
    const descriptionAsOf = async (id: number) => {
      const response = await own.ask(`GET ${path}?asOf=${id}`);
      return response.statusCode === 200 ? response.json().description : response.json().message;
    };
    expect(await descriptionAsOf(ours)).toBe('ours');
    expect(await descriptionAsOf(ours + 1)).toMatch(/an import was running/);
    expect(await descriptionAsOf(ours + 2)).toBe('theirs');
  });
});

describe('users see no more of the past than of the present', () => {
  test('the past of a feature in a private project, now or at that time, is hidden from others', async () => {
    const create = make(app.ask);
    await create.project('history-private', { mode: 'private' });
    await create.feature('history-hidden');
    const open = await headOf();
    await app.ask(`POST ${admin}/projects/default/features/history-hidden/changeProject`, {
      payload: { newProjectId: 'history-private' },
    });
    const hidden = await headOf();
    const viewer = await person(app);
    const statusAsOf = async (ask: TestApp['ask'], project: string, id: number) =>
      (await ask(`GET ${admin}/projects/${project}/features/history-hidden?asOf=${id}`)).statusCode;
    expect(await statusAsOf(app.ask, 'default', open)).toBe(200);
    expect(await statusAsOf(app.ask, 'history-private', hidden)).toBe(200);
    expect(await statusAsOf(viewer.ask, 'default', open)).toBe(404);
    expect(await playgroundNames(viewer.ask, open)).not.toContain('history-hidden');
    expect(await playgroundNames(app.ask, open)).toContain('history-hidden');

    await app.ask(`POST ${admin}/projects/history-private/features/history-hidden/changeProject`, {
      payload: { newProjectId: 'default' },
    });
    expect(await statusAsOf(viewer.ask, 'default', open)).toBe(200);
    expect(await statusAsOf(viewer.ask, 'default', hidden)).toBe(404);
    expect(await playgroundNames(viewer.ask, hidden)).not.toContain('history-hidden');
  });

  test('a project that reuses the ID of a deleted one does not show the past of the deleted one', async () => {
    const create = make(app.ask);
    await create.project('history-reused');
    await create.feature('history-former', { project: 'history-reused' });
    const former = await headOf();
    await app.ask(`DELETE ${admin}/projects/history-reused/features/history-former`);
    await app.ask(`DELETE ${admin}/projects/history-reused`);
    await create.project('history-reused');
    const viewer = await person(app);
    const path = `${admin}/projects/history-reused/features/history-former?asOf=${former}`;
    expect((await app.ask(`GET ${path}`)).statusCode).toBe(200);
    expect((await viewer.ask(`GET ${path}`)).statusCode).toBe(404);
    expect(await playgroundNames(viewer.ask, former)).not.toContain('history-former');
  });
});

const playgroundNames = async (ask: TestApp['ask'], asOf: number): Promise<string[]> => {
  const response = await ask(`POST ${admin}/playground`, {
    payload: { environment: 'development', context: {}, asOf: String(asOf) },
  });
  expect(response.statusCode, response.body).toBe(200);
  return response.json().features.map(({ name: feature }: { name: string }) => feature);
};

test('the playground and SDK data as of a moment use the configuration of that moment', async () => {
  const create = make(app.ask);
  const segment = await create.segment('history-segment');
  await create.feature('history-evaluated');
  await create.strategy('history-evaluated', { segments: [segment.id] });
  await create.switchedOn('history-evaluated');
  const then = await headOf();
  const read = async (query: string) => {
    const response = await app.ask(`GET ${admin}/environments/development/client-features${query}`);
    expect(response.statusCode, response.body).toBe(200);
    const { features, segments } = response.json();
    return { features, segments };
  };
  const asReceived = await read('');
  expect(asReceived.features.map((each: { name: string }) => each.name)).toContain(
    'history-evaluated',
  );
  await app.ask(`PUT ${admin}/segments/${segment.id}`, {
    payload: { name: 'history-segment', constraints: [] },
  });
  await app.ask(
    `POST ${admin}/projects/default/features/history-evaluated/environments/development/off`,
  );
  expect(await read('')).not.toEqual(asReceived);
  expect(await read(`?asOf=${then}`)).toEqual(asReceived);
  const decide = async (asOf?: number) => {
    const response = await app.ask(`POST ${admin}/playground`, {
      payload: {
        environment: 'development',
        context: { userId: '1' },
        ...(asOf !== undefined && { asOf: String(asOf) }),
      },
    });
    return response
      .json()
      .features.find((each: { name: string }) => each.name === 'history-evaluated');
  };
  expect((await decide()).isEnabled).toBe(false);
  expect((await decide()).changedBy).toBeUndefined();
  expect(await decide(then)).toMatchObject({
    isEnabled: true,
    changedBy: { id: then, type: 'feature-environment-enabled' },
  });
  // The segment was changed next. A new description changes no decision.
  expect((await decide(then + 1)).changedBy).toMatchObject({ type: 'segment-updated' });
  const off = await headOf();
  await app.ask(`PUT ${admin}/projects/default/features/history-evaluated`, {
    payload: { description: 'of no consequence' },
  });
  expect((await decide(await headOf())).changedBy).toMatchObject({
    id: off,
    type: 'feature-environment-disabled',
    summary: expect.stringContaining('disabled'),
  });
});

test('the difference between two moments has both states of everything that differs', async () => {
  const create = make(app.ask);
  await create.feature('history-compared');
  await create.strategy('history-compared');
  const from = await headOf();
  await create.switchedOn('history-compared');
  await app.ask(`PUT ${admin}/projects/default/features/history-compared`, {
    payload: { description: 'and back' },
  });
  await app.ask(`PATCH ${admin}/projects/default/features/history-compared`, {
    payload: [{ op: 'remove', path: '/description' }],
  });
  const { id: segment } = await create.segment('history-added');
  const to = await headOf();
  const compare = async (query: string) => {
    const response = await app.ask(`GET ${admin}/history/difference?${query}`);
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  };
  const enabled = {
    kind: 'feature-environment',
    key: 'history-compared',
    part: 'development',
    before: expect.objectContaining({ enabled: false }),
    after: expect.objectContaining({ enabled: true }),
    summary: [
      '**admin** enabled [**history-compared**](/projects/default/features/history-compared) in **development**',
    ],
    events: [from + 1],
    fields: [{ path: ['enabled'], before: false, after: true }],
  };
  const added = {
    kind: 'segment',
    key: String(segment),
    after: expect.objectContaining({ name: 'history-added' }),
    summary: [expect.stringContaining('created segment')],
    events: [to],
    fields: [],
  };
  const expected = { from, to, changes: [enabled, added] };
  expect(await compare(`from=${from}&to=${to}`)).toEqual(expected);
  await applyToHistory(app);
  expect(await compare(`from=${from}&to=${to}`)).toEqual(expected);
  const filtered = { ...expected, changes: [enabled] };
  expect(await compare(`from=${from}&to=${to}&project=default`)).toEqual(filtered);
  expect(await compare(`from=${from}&to=${to}&environment=development`)).toEqual(filtered);
  expect(await compare(`from=${to}&to=${to}`)).toEqual({ from: to, to, changes: [] });
  const reversed = await app.ask(`GET ${admin}/history/difference?from=${to}&to=${from}`);
  expect(reversed.statusCode).toBe(400);
});

test('the difference between two moments omits what the user cannot see', async () => {
  const create = make(app.ask);
  await create.project('history-secret', { mode: 'private' });
  await create.feature('history-shared');
  await create.feature('history-secret-feature', { project: 'history-secret' });
  const from = await headOf();
  for (const feature of ['history-shared', 'history-secret-feature']) {
    const project = feature === 'history-shared' ? 'default' : 'history-secret';
    await create.strategy(feature, {}, { project });
  }
  await create.segment('history-of-secret', { project: 'history-secret' });
  await app.ask(`PUT ${admin}/settings/retention`, { payload: { eventDays: 900 } });
  const to = await headOf();
  const viewer = await person(app);
  const keysFor = async (ask: TestApp['ask']) => {
    const response = await ask(`GET ${admin}/history/difference?from=${from}&to=${to}`);
    expect(response.statusCode, response.body).toBe(200);
    return response.json().changes.map(({ key }: { key: string }) => key);
  };
  expect(await keysFor(viewer.ask)).toEqual(['history-shared']);
  expect(await keysFor(app.ask)).toHaveLength(4);
});

test('an export as of a moment has the features of that moment', async () => {
  const create = make(app.ask);
  await create.feature('history-exported', { description: 'then' });
  await create.strategy('history-exported');
  const read = async (asOf?: string) => {
    const response = await app.ask(`POST ${admin}/features-batch/export`, {
      payload: { environment: 'development', features: ['history-exported'], asOf },
    });
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  };
  const then = String(await headOf());
  const exported = await read();
  await app.ask(`PUT ${admin}/projects/default/features/history-exported`, {
    payload: { description: 'now' },
  });
  expect(await read()).not.toEqual(exported);
  expect(await read(then)).toEqual(exported);
});
