import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import {
  applyToHistory,
  differencesFromPresent,
  featureStates,
} from '../../../../test/support/history.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';

const app = await testApp();
const create = make(app.ask);
const admin = '/api/admin';
const features = `${admin}/projects/default/features` as const;

const ok = async (answer: ReturnType<TestApp['ask']>): Promise<LightMyRequestResponse> => {
  const response = await answer;
  expect(response.statusCode, response.body).toBeLessThan(300);
  return response;
};

const head = async (): Promise<number> =>
  (await app.ask(`GET ${admin}/search/events?limit=1`)).json().events[0].id;

/** The events of a change. */
async function eventsOf(change: () => Promise<unknown>): Promise<number[]> {
  const before = await head();
  await change();
  return Array.from({ length: (await head()) - before }, (_, index) => before + 1 + index);
}

const revert = (payload: object, { ask = app.ask, query = '' } = {}) =>
  ask(`POST ${admin}/events/revert${query}`, { payload });

const stateOf = (...names: readonly string[]) => featureStates(app, ...names);

/** Deletes a feature completely, and reverts that. Returns what it was before. */
async function deleteAndRevert(name: string) {
  const before = await stateOf(name);
  const eventIds = await eventsOf(async () => {
    await ok(app.ask(`DELETE ${features}/${name}` as const));
    await ok(app.ask(`DELETE ${admin}/archive/${name}` as const));
  });
  await ok(revert({ eventIds }));
  return before;
}

const variable = (name: string, weight = 0, value = 'x') => ({
  ...{ name, weight, weightType: 'variable', stickiness: 'default' },
  payload: { type: 'string', value },
});

const weights = (variants: readonly { readonly name: string; readonly weight: number }[]) =>
  variants.map(({ name, weight }) => `${name} ${weight}`);

/** The first one in a request gets 334, the others 333. Here it is the last one when they are sorted. */
const three = [variable('red'), variable('blue'), variable('green')];
const stored = ['blue 333', 'green 333', 'red 334'];

test('variants are restored with their previous weights', async () => {
  await create.feature('weighted');
  const path = `${features}/weighted/environments/development` as const;
  await create.variants('weighted', three);
  const read = async () => (await app.ask(`GET ${path}/variants`)).json().variants;
  expect(weights(await read())).toEqual(stored);
  const eventIds = await eventsOf(() => create.variants('weighted', []));
  await ok(revert({ eventIds }));
  expect(weights(await read())).toEqual(stored);

  const strategy = await create.strategy('weighted', { variants: three });
  const strategies = async () =>
    (await app.ask(`GET ${path}/strategies`))
      .json()
      .map((each: { variants: { name: string; weight: number }[] }) => weights(each.variants));
  expect(await strategies()).toEqual([stored]);
  const removal = await eventsOf(() =>
    ok(app.ask(`DELETE ${`${path}/strategies/${strategy.id}` as const}`)),
  );
  await ok(revert({ eventIds: removal }));
  expect(await strategies()).toEqual([stored]);

  const before = await deleteAndRevert('weighted');
  expect(await stateOf('weighted')).toEqual(before);
});

test('a default strategy is restored with its variant weights, alone and with its project', async () => {
  await create.project('weights');
  const path = `${admin}/projects/weights/environments/development/default-strategy` as const;
  const set = (variants: object[]) =>
    ok(app.ask(`POST ${path}`, { payload: { name: 'flexibleRollout', variants } }));
  const read = async () => weights((await app.ask(`GET ${path}`)).json().variants);
  await set(three);
  const eventIds = await eventsOf(() => set([]));
  await ok(revert({ eventIds }));
  expect(await read()).toEqual(stored);
  await create.feature('of-weights', { project: 'weights' });
  await create.variants('of-weights', three, { project: 'weights' });
  await ok(app.ask(`DELETE ${admin}/projects/weights/features/of-weights`));
  const before = await stateOf('of-weights');
  const deletion = await eventsOf(() => ok(app.ask(`DELETE ${admin}/projects/weights`)));
  await ok(revert({ eventIds: deletion }));
  expect(await read()).toEqual(stored);
  const again = await stateOf('of-weights');
  expect(again.at(-1)).toEqual(before.at(-1));
});

test('a revert keeps variants sorted by name, ignoring case', async () => {
  await create.feature('sorted');
  const names = async () =>
    (await app.ask(`GET ${features}/sorted/environments/development/variants`))
      .json()
      .variants.map(({ name, payload }: ReturnType<typeof variable>) => `${name} ${payload.value}`);
  const set = (b: string, c: string) =>
    create.variants('sorted', [variable('a'), variable('B', 0, b), variable('c', 0, c)]);
  await set('1', '1');
  const eventIds = await eventsOf(() => set('2', '1'));
  await set('2', '2');
  await ok(revert({ eventIds }));
  expect(await names()).toEqual(['a x', 'B 1', 'c 2']);
});

test('a revert restores the order of the variants of a strategy, which decides who gets which', async () => {
  await create.feature('ordered');
  const fix = (name: string, weight: number, value = 'x') => ({
    ...variable(name, weight, value),
    weightType: 'fix',
  });
  const { id } = await create.strategy('ordered', {
    variants: [fix('a', 250), fix('b', 250), fix('c', 500)],
  });
  const path = `${features}/ordered/environments/development/strategies/${id}` as const;
  const set = (...variants: object[]) =>
    ok(app.ask(`PUT ${path}`, { payload: { name: 'flexibleRollout', variants } }));
  const eventIds = await eventsOf(() => set(fix('b', 250), fix('c', 500), fix('d', 250)));
  await set(fix('b', 250), fix('c', 500, 'y'), fix('d', 250));
  await ok(revert({ eventIds }));
  expect(weights((await app.ask(`GET ${path}`)).json().variants)).toEqual([
    'a 250',
    'b 250',
    'c 500',
  ]);
});

test('importing an export as of an earlier moment restores the same variants', async () => {
  await create.feature('moved-back');
  await create.strategy('moved-back', { variants: three });
  await create.variants('moved-back', three);
  const asOf = `${await head()}`;
  const exported = await ok(
    app.ask(`POST ${admin}/features-batch/export`, {
      payload: { environment: 'development', features: ['moved-back'], asOf },
    }),
  );
  const before = await stateOf('moved-back');
  await create.variants('moved-back', []);
  await ok(
    app.ask(`POST ${admin}/features-batch/import`, {
      payload: { project: 'default', environment: 'development', data: exported.json() },
    }),
  );
  expect(await stateOf('moved-back')).toEqual(before);
});

test('parents and children that were created together are removed together by a revert', async () => {
  for (const [parent, child] of [
    ['aa-parent', 'ab-child'],
    ['bb-parent', 'ba-child'],
  ] as const) {
    const eventIds = await eventsOf(async () => {
      await create.feature(parent);
      await create.feature(child);
      await create.dependency(child, parent);
    });
    const { eventIds: reverting } = (await ok(revert({ eventIds }))).json();
    expect(await stateOf(parent, child)).toEqual([]);
    await ok(revert({ eventIds: reverting }));
    const state = await stateOf(parent, child);
    expect(state.find(({ key }) => key === child)?.state).toMatchObject({
      dependencies: [{ feature: parent }],
    });
  }
});

test('an import can be reverted by its request ID, including parents and children', async () => {
  const named = (name: string) => ({ name, type: 'release', project: 'default' });
  const imported = await ok(
    app.ask(`POST ${admin}/features-batch/import`, {
      payload: {
        project: 'default',
        environment: 'development',
        data: {
          features: [named('ca-parent'), named('cb-child')],
          featureStrategies: [],
          dependencies: [
            { feature: 'cb-child', dependencies: [{ feature: 'ca-parent', enabled: true }] },
          ],
        },
      },
    }),
  );
  await ok(revert({ requestId: imported.headers['x-request-id'] }));
  expect(await stateOf('ca-parent', 'cb-child')).toEqual([]);
});

test('a deleted feature is restored without its owner if the account was deleted', async () => {
  const invited = await ok(
    app.ask(`POST ${admin}/user-admin`, { payload: { username: 'leaver', rootRole: 2 } }),
  );
  const { id } = invited.json();
  await create.project('owned');
  const owner = { type: 'user', id };
  await create.feature('owned-alone', { owner });
  await create.feature('owned-there', { owner, project: 'owned' });
  await create.feature('disowned', { owner });
  const deletion = await eventsOf(async () => {
    await ok(app.ask(`DELETE ${features}/owned-alone`));
    await ok(app.ask(`DELETE ${admin}/archive/owned-alone`));
    await ok(app.ask(`DELETE ${admin}/projects/owned/features/owned-there`));
    await ok(app.ask(`DELETE ${admin}/projects/owned`));
  });
  const change = await eventsOf(() =>
    ok(app.ask(`PUT ${features}/disowned`, { payload: { owner: null } })),
  );
  await ok(app.ask(`DELETE ${admin}/user-admin/${id}`));
  const eventIds = [...deletion, ...change];
  const refused = await revert({ eventIds });
  const gone = { field: 'owner', reason: 'The account was deleted', now: null };
  expect([refused.statusCode, refused.json().conflicts]).toMatchObject([
    409,
    expect.arrayContaining(
      ['disowned', 'owned-alone', 'owned-there'].map((name) =>
        expect.objectContaining({ name, ...gone }),
      ),
    ),
  ]);
  await ok(revert({ eventIds, conflicts: 'keepCurrent' }));
  for (const name of ['owned-alone', 'owned-there']) {
    expect((await stateOf(name))[0]?.state).toMatchObject({ name, owner: null });
  }
});

test('a feature of a deleted private project is restored with an owner who had access', async () => {
  await create.project('hideout', { mode: 'private' });
  const member = await person(app);
  await ok(
    app.ask(`POST ${admin}/projects/hideout/access`, {
      payload: { roles: [5], groups: [], users: [member.id] },
    }),
  );
  const owner = { type: 'user', id: member.id };
  await create.feature('of-member', { owner, project: 'hideout' });
  await ok(app.ask(`DELETE ${admin}/projects/hideout/features/of-member`));
  const eventIds = await eventsOf(() => ok(app.ask(`DELETE ${admin}/projects/hideout`)));
  await ok(revert({ eventIds }));
  expect((await stateOf('of-member'))[0]?.state).toMatchObject({ owner });
});

test('a conflict shows who has access to a project only to users who may read that', async () => {
  const insider = await person(app);
  const [created] = await eventsOf(() => create.project('discreet'));
  await ok(
    app.ask(`POST ${admin}/projects/discreet/access`, {
      payload: { roles: [5], groups: [], users: [insider.id] },
    }),
  );
  const viewer = await person(app);
  const conflictsFor = async ({ ask }: Pick<TestApp, 'ask'>) => {
    const plan = await ok(revert({ eventIds: [created] }, { ask, query: '?dryRun=true' }));
    const { conflicts } = plan.json();
    return conflicts.find(({ field }: { field: string }) => field === 'users');
  };
  expect(await conflictsFor(app)).toMatchObject({ now: { [insider.id]: [5] } });
  const seen = await conflictsFor(viewer);
  expect(seen).toMatchObject({ name: 'discreet', reason: expect.stringContaining('got roles') });
  expect(seen).not.toHaveProperty('now');
});

test('links are restored in their order', async () => {
  await create.feature('linked');
  const urls = Array.from({ length: 6 }, (_, index) => `https://example.com/${index}`);
  for (const url of urls) await ok(app.ask(`POST ${features}/linked/link`, { payload: { url } }));
  const before = await deleteAndRevert('linked');
  expect(await stateOf('linked')).toEqual(before);
  const [first] = (before[0] as { state: { links: { id: string }[] } }).state.links;
  const removal = await eventsOf(() =>
    ok(app.ask(`DELETE ${`${features}/linked/link/${first?.id}` as const}`)),
  );
  await ok(revert({ eventIds: removal }));
  const again = await revert({ eventIds: removal });
  expect([again.statusCode, again.json().message]).toEqual([409, 'There is nothing to revert']);
});

test('a revert cannot remove the last strategy of an enabled feature, and the conflict says why', async () => {
  await create.feature('last');
  const path = `${features}/last/environments/development` as const;
  const [added] = await eventsOf(() => create.strategy('last', { title: 'Only' }));
  const [enabled] = await eventsOf(() => create.switchedOn('last'));
  const before = await stateOf('last');
  const refused = await revert({ eventIds: [added] });
  expect([refused.statusCode, refused.json().conflicts]).toMatchObject([
    409,
    [
      {
        ...{ name: 'last', environment: 'development', field: 'enabled', now: true },
        eventIds: [enabled],
        reason: expect.stringContaining('Disable it or add a strategy first'),
      },
    ],
  ]);
  const kept = await revert({ eventIds: [added], conflicts: 'keepCurrent' });
  expect([kept.statusCode, kept.json().message]).toEqual([409, 'There is nothing to revert']);
  expect(await stateOf('last')).toEqual(before);
  await ok(revert({ eventIds: [added, enabled] }));

  await create.strategy('last', { title: 'Again' });
  await create.switchedOn('last');
  const disabling = await eventsOf(() => ok(app.ask(`POST ${path}/off`)));
  const [{ id }] = (await app.ask(`GET ${path}/strategies`)).json();
  const removal = await eventsOf(() =>
    ok(app.ask(`DELETE ${`${path}/strategies/${id}` as const}`)),
  );
  const lacking = await revert({ eventIds: disabling });
  expect([lacking.statusCode, lacking.json().conflicts]).toMatchObject([
    409,
    [
      {
        name: 'last',
        field: 'enabled',
        now: false,
        reason: expect.stringContaining('Add a strategy first'),
      },
    ],
  ]);
  await ok(revert({ eventIds: [...disabling, ...removal] }));
  expect((await app.ask(`GET ${path}`)).json()).toMatchObject({ enabled: true });
});

test('reverting a change of an archived feature is a conflict that names the archiving event', async () => {
  await create.feature('put-away', { description: 'Old' });
  await create.feature('still-there', { description: 'Old' });
  const eventIds = await eventsOf(async () => {
    for (const name of ['put-away', 'still-there']) {
      await ok(app.ask(`PUT ${features}/${name}`, { payload: { description: 'New' } }));
    }
    await create.strategy('put-away');
  });
  const archiving = await eventsOf(() => ok(app.ask(`DELETE ${features}/put-away`)));
  const before = await stateOf('put-away');
  const refused = await revert({ eventIds });
  expect([refused.statusCode, refused.json().conflicts]).toMatchObject([
    409,
    [
      {
        ...{ name: 'put-away', field: 'archived', now: true, eventIds: archiving },
        reason: expect.stringContaining('Revive it first'),
      },
    ],
  ]);
  await ok(revert({ eventIds, conflicts: 'keepCurrent' }));
  expect(await stateOf('put-away')).toEqual(before);
  expect((await stateOf('still-there'))[0]?.state).toMatchObject({ description: 'Old' });
  await ok(revert({ eventIds: [...eventIds, ...archiving], conflicts: 'keepCurrent' }));
  expect((await stateOf('put-away'))[0]?.state).toMatchObject({ description: 'Old' });
});

test('strategies with the same sort order are restored in their order', async () => {
  await create.feature('level');
  for (const title of ['1', '2', '3', '4', '5']) {
    await create.strategy('level', { title, sortOrder: 0 });
  }
  const before = await deleteAndRevert('level');
  expect(await stateOf('level')).toEqual(before);
});

test('one of several strategies with the same sort order is restored in its place', async () => {
  await create.feature('level-one');
  const titles = ['1', '2', '3', '4', '5'];
  const ids: string[] = [];
  for (const title of titles) {
    ids.push((await create.strategy('level-one', { title, sortOrder: 0 })).id as string);
  }
  const strategies = `${features}/level-one/environments/development/strategies` as const;
  const before = await stateOf('level-one');
  const removing = await eventsOf(() =>
    ok(app.ask(`DELETE ${strategies}/${ids[1] as string}` as const)),
  );
  await ok(revert({ eventIds: removing }));
  expect(await stateOf('level-one')).toEqual(before);
  const listed = (await app.ask(`GET ${strategies}`)).json();
  expect(listed.map(({ title }: { title: string }) => title)).toEqual(titles);

  const reversed = ids.toReversed().map((id, sortOrder) => ({ id, sortOrder }));
  const ordering = await eventsOf(() =>
    ok(app.ask(`POST ${strategies}/set-sort-order`, { payload: reversed })),
  );
  await ok(revert({ eventIds: ordering }));
  expect(await stateOf('level-one')).toEqual(before);
  await applyToHistory(app);
  expect(await differencesFromPresent(app)).toEqual([]);
});

describe('strategies with the same sort order', () => {
  const titled = async (name: string, titles: readonly string[]) => {
    await create.feature(name);
    const ids: string[] = [];
    for (const title of titles) {
      ids.push((await create.strategy(name, { title, sortOrder: 0 })).id as string);
    }
    const path = `${features}/${name}/environments/development/strategies` as const;
    const patch = (nth: number, changes: Readonly<Record<string, unknown>>) =>
      eventsOf(() =>
        ok(
          app.ask(`PATCH ${path}/${ids[nth] as string}` as const, {
            payload: Object.entries(changes).map(([key, value]) => ({
              ...{ op: 'replace', path: `/${key}`, value },
            })),
          }),
        ),
      );
    const listed = async () =>
      (await app.ask(`GET ${path}`)).json().map(({ title }: { title: string }) => title);
    return { ids, path, patch, listed };
  };
  const isHistory = async () => {
    await applyToHistory(app);
    expect(await differencesFromPresent(app)).toEqual([]);
  };

  test('are restored in their order after others were changed', async () => {
    const { path, ids, patch, listed } = await titled('level-changed', ['1', '2', '3', '4']);
    const removing = await eventsOf(() =>
      ok(app.ask(`DELETE ${path}/${ids[1] as string}` as const)),
    );
    await patch(3, { title: 'four' });
    await ok(revert({ eventIds: removing }));
    expect(await listed()).toEqual(['1', '2', '3', 'four']);

    const moving = await patch(0, { sortOrder: 1 });
    expect(await listed()).toEqual(['2', '3', 'four', '1']);
    await patch(1, { title: 'two' });
    await ok(revert({ eventIds: moving }));
    expect(await listed()).toEqual(['1', 'two', '3', 'four']);

    const changing = await patch(0, { sortOrder: 1, disabled: true });
    await patch(2, { title: 'three' });
    await ok(revert({ eventIds: changing }));
    expect(await listed()).toEqual(['1', 'two', 'three', 'four']);
    await isHistory();
  });

  test('have the same order in the history as now, whatever order they were created in', async () => {
    const { patch, listed, path } = await titled('level-moved', ['1', '2', '3']);
    await patch(0, { sortOrder: 1 });
    await patch(0, { sortOrder: 0 });
    expect(await listed()).toEqual(['2', '3', '1']);
    await isHistory();

    const adding = (title: string) => ({
      action: 'addStrategy',
      environment: 'development',
      payload: { name: 'default', title, sortOrder: 0 },
    });
    await ok(
      app.ask(`POST ${features}/level-moved/changes`, {
        payload: { changes: ['4', '5', '6'].map(adding) },
      }),
    );
    expect(await listed()).toEqual(['2', '3', '1', '4', '5', '6']);
    await Promise.all(
      ['7', '8', '9'].map((title) =>
        ok(app.ask(`POST ${path}`, { payload: { name: 'default', title, sortOrder: 0 } })),
      ),
    );
    await isHistory();
  });
});
