import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testActor, testApp } from '../../../test/support/app.ts';
import { applyToHistory, differencesFromPresent } from '../../../test/support/history.ts';
import { make } from '../../../test/support/make.ts';
import { person } from '../../../test/support/people.ts';
import { randomCases } from '../../../test/support/random-cases.ts';
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

const withoutPresent = (feature: Record<string, unknown>) => {
  // What others did with it, and what SDKs reported, is no part of its past.
  const { favorite, lifecycle, collaborators, potentiallyStale, lastSeenAt, ...past } = feature;
  return past;
};

/** The feature as the API shows it, now or earlier; undefined if there was none. */
async function readFeature(
  { ask }: Pick<TestApp, 'ask'>,
  { project, name }: { readonly project: string; readonly name: string },
  query: string,
): Promise<object | undefined> {
  const response = await ask(`GET ${admin}/projects/${project}/features/${name}?${query}`);
  if (response.statusCode === 404) return undefined;
  expect(response.statusCode, response.body).toBe(200);
  return withoutPresent(response.json());
}

const projects = ['default', 'history-other'];
const names = ['history-a', 'history-b', 'history-c'];
const environment = fc.constantFrom('development', 'production');
const name = fc.constantFrom(...names);
const small = fc.integer({ min: 0, max: 3 });

/** A request about a feature in the project where it is, if it is anywhere. Many are refused, as in life. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), name, small }),
  fc.record({ kind: fc.constant('switch' as const), name, environment, enabled: fc.boolean() }),
  fc.record({ kind: fc.constant('strategy' as const), name, environment, small }),
  fc.record({ kind: fc.constant('change strategy' as const), name, environment, small }),
  fc.record({ kind: fc.constant('order' as const), name, environment }),
  fc.record({ kind: fc.constant('remove strategy' as const), name, environment, small }),
  fc.record({ kind: fc.constant('variants' as const), name, environment, small }),
  fc.record({ kind: fc.constant('all variants' as const), name, small }),
  fc.record({ kind: fc.constant('update' as const), name, small, stale: fc.boolean() }),
  fc.record({ kind: fc.constant('tag' as const), name, small, added: fc.boolean() }),
  fc.record({ kind: fc.constant('link' as const), name, small }),
  fc.record({ kind: fc.constant('depend' as const), name, parent: name, enabled: fc.boolean() }),
  fc.record({ kind: fc.constant('archive' as const), name }),
  fc.record({ kind: fc.constant('revive' as const), name }),
  fc.record({ kind: fc.constant('delete' as const), name }),
  fc.record({ kind: fc.constant('move' as const), name, small }),
  fc.record({ kind: fc.constant('environment' as const), added: fc.boolean(), small }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

async function projectOf(feature: string): Promise<string> {
  const row = await app.db
    .selectFrom('features')
    .where('name', '=', feature)
    .select('project')
    .executeTakeFirst();
  return row?.project ?? 'default';
}

const strategyIdsOf = async (feature: string, of: string): Promise<string[]> =>
  (
    await app.db
      .selectFrom('feature_strategies')
      .where('feature_name', '=', feature)
      .where('environment', '=', of)
      .select('id')
      .orderBy('id')
      .execute()
  ).map(({ id }) => id);

async function carryOut(it: Change): Promise<void> {
  const { ask } = app;
  if (it.kind === 'environment') {
    const project = projects[it.small % 2];
    const path = `${admin}/projects/${project}/environments`;
    if (it.added) await ask(`POST ${path}`, { payload: { environment: 'production' } });
    else await ask(`DELETE ${path}/production`);
    return;
  }
  const project = await projectOf(it.name);
  const features = `${admin}/projects/${project}/features`;
  const path = `${features}/${it.name}`;
  const within = 'environment' in it ? `${path}/environments/${it.environment}` : path;
  const ids = 'environment' in it ? await strategyIdsOf(it.name, it.environment) : [];
  const variants = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({
      name: `v${nth}`,
      weight: 1,
      stickiness: 'default',
    }));
  switch (it.kind) {
    case 'create':
      await ask(`POST ${features}`, { payload: { name: it.name, description: `${it.small}` } });
      return;
    case 'switch':
      await ask(`POST ${within}/${it.enabled ? 'on' : 'off'}`);
      return;
    case 'strategy':
      await ask(`POST ${within}/strategies`, {
        payload: {
          name: 'flexibleRollout',
          parameters: { rollout: `${it.small * 10}` },
          sortOrder: it.small,
          constraints: [{ contextName: 'userId', operator: 'IN', values: [`${it.small}`] }],
        },
      });
      return;
    case 'change strategy':
      await ask(`PUT ${within}/strategies/${ids[it.small]}`, {
        payload: { name: 'flexibleRollout', title: `${it.small}`, disabled: it.small === 1 },
      });
      return;
    case 'order':
      await ask(`POST ${within}/strategies/set-sort-order`, {
        payload: ids.map((id, sortOrder) => ({ id, sortOrder })),
      });
      return;
    case 'remove strategy':
      await ask(`DELETE ${within}/strategies/${ids[it.small]}`);
      return;
    case 'variants':
      await ask(`PUT ${within}/variants`, { payload: variants(it.small) });
      return;
    case 'all variants':
      await ask(`PUT ${path}/variants`, { payload: variants(it.small) });
      return;
    case 'update':
      await ask(`PUT ${path}`, {
        payload: { description: `${it.small}`, type: 'experiment', stale: it.stale },
      });
      return;
    case 'tag': {
      const tag = { type: 'simple', value: `tag-${it.small}` };
      if (it.added) await ask(`POST ${admin}/features/${it.name}/tags`, { payload: tag });
      else await ask(`DELETE ${admin}/features/${it.name}/tags/simple/${tag.value}`);
      return;
    }
    case 'link':
      await ask(`POST ${path}/link`, { payload: { url: `https://example.com/${it.small}` } });
      return;
    case 'depend':
      await ask(`POST ${path}/dependencies`, {
        payload: { feature: it.parent, enabled: it.enabled },
      });
      return;
    case 'archive':
      await ask(`DELETE ${path}`);
      return;
    case 'revive':
      await ask(`POST ${admin}/archive/revive/${it.name}`);
      return;
    case 'delete':
      await ask(`DELETE ${admin}/archive/${it.name}`);
      return;
    case 'move':
      await ask(`POST ${path}/changeProject`, {
        payload: { newProjectId: projects[it.small % 2] },
      });
  }
}

/** What the API showed after an event. */
interface Known {
  readonly eventId: number;
  readonly features: readonly { readonly project: string; readonly name: string }[];
  readonly shown: readonly (object | undefined)[];
}

async function readAll(instance: Pick<TestApp, 'ask'>, known: Known['features'], query: string) {
  const shown: (object | undefined)[] = [];
  for (const feature of known) shown.push(await readFeature(instance, feature, query));
  return shown;
}

describe('a feature as of an event', () => {
  test('is what the API showed then, however it came about', async () => {
    await make(app.ask).project('history-other');
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 30, maxLength: 40 }), async (changes) => {
        const all: Known[] = [];
        for (const each of changes) {
          await carryOut(each);
          const features = await Promise.all(
            names.map(async (feature) => ({ name: feature, project: await projectOf(feature) })),
          );
          const shown = await readAll(app, features, 'archived=true');
          all.push({ eventId: await headOf(), features, shown });
        }
        const compare = async (instance: Pick<TestApp, 'ask'>, some: readonly Known[]) => {
          for (const { eventId, features, shown } of some) {
            expect(await readAll(instance, features, `asOf=${eventId}`)).toEqual(shown);
          }
        };
        // The events are not in the history yet.
        await compare(app, all.slice(-5));
        await applyToHistory(app);
        expect(await differencesFromPresent(app)).toEqual([]);
        await compare(app, all);
        await compare(await appOn(app), all.slice(0, 5));
      }),
      randomCases(1, 100),
    );
    const gaps = await app.db.selectFrom('history_gaps').select('reason').execute();
    expect(gaps).toEqual([{ reason: 'beginning' }]);
  });
});

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

  test('that never was, is yet to come, or is unknown, is refused in words', async () => {
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
    expect(await ask('2999-01-01T00:00:00Z')).toEqual([400, 'asOf must not be in the future']);
  });

  test('before the retained log is unknown, and what ended before it is removed', async () => {
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

  test('during an import is unknown, and the history goes on with what the import made', async () => {
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
  test('a feature that is in a private project today, or was then, has no past for others', async () => {
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

  test('a project that reuses the ID of a deleted one does not show its past', async () => {
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

test('the playground and SDK data of a moment are those of that moment', async () => {
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
  expect((await decide(then)).isEnabled).toBe(true);
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
  };
  const added = {
    kind: 'segment',
    key: String(segment),
    after: expect.objectContaining({ name: 'history-added' }),
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
