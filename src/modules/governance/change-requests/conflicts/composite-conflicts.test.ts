import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { type Person, person } from '../../../../../test/support/people.ts';

let app: TestApp;
let ada: Person;
let bob: Person;

const admin = '/api/admin';
const project = 'composite';
const requests = `${admin}/projects/${project}/change-requests` as const;
const production = { project, environment: 'production' };
const features = `${admin}/projects/${project}/features` as const;

beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project(project);
  const config = `${admin}/projects/${project}/environments/production/change-requests/config`;
  await app.ask(`PUT ${config}` as const, { payload: { changeRequestsEnabled: true } });
  ada = await person(app, { roles: { [project]: 4 } });
  bob = await person(app, { roles: { [project]: 4 } });
});

let made = 0;
async function feature(): Promise<string> {
  made += 1;
  const name = `composite-${made}`;
  await make(app.ask).feature(name, { project });
  return name;
}

const rollout = (value: string, more: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: value, stickiness: 'default', groupId: 'x' },
  ...more,
});

const strategyOf = async (name: string, value = '10') =>
  (await make(app.ask).strategy(name, rollout(value), production)).id as string;

const variant = (name: string, more: object = {}) => ({
  name,
  weight: 1000,
  weightType: 'variable',
  stickiness: 'default',
  ...more,
});

/** A draft of Ada's with only this change. */
async function draft(change: object) {
  const open = (await ada.ask(`GET ${requests}/pending`)).json();
  for (const { id, state } of open) {
    if (state === 'Draft') await ada.ask(`DELETE ${requests}/${id}`);
  }
  const place = `${admin}/projects/${project}/environments/production/change-requests` as const;
  const response = await ada.ask(`POST ${place}`, { payload: change });
  expect(response.statusCode, response.body).toBe(200);
  const { id, conflicts, ...request } = response.json();
  expect(conflicts).toEqual([]);
  const [{ id: changeId }] = [...request.changes, ...(request.features[0]?.changes ?? [])];
  const read = async () => (await ada.ask(`GET ${requests}/${id}`)).json();
  const resolve = async (resolution: string) => {
    const resolved = await ada.ask(`POST ${requests}/${id}/changes/${changeId}/resolve`, {
      payload: { resolution },
    });
    expect(resolved.statusCode, resolved.body).toBe(200);
    return resolved.json();
  };
  const state = (by: Person, state: string) =>
    by.ask(`PUT ${requests}/${id}/state`, { payload: { state } });
  return { id, read, resolve, state };
}

const payloadOf = ({ features: [first], changes }: ReturnType<typeof JSON.parse>) =>
  (first?.changes[0] ?? changes[0]).payload;

describe('a conflict of a change with several parts', () => {
  test('variants for several environments conflict if those of one environment change', async () => {
    const name = await feature();
    const payload = { variants: [variant('mine')], environments: ['development', 'production'] };
    const { read, resolve } = await draft({ feature: name, action: 'updateVariants', payload });
    const set = (environment: string, theirs: string) =>
      app.ask(`PUT ${features}/${name}/environments/${environment}/variants`, {
        payload: [variant(theirs)],
      });
    expect((await set('development', 'theirs')).statusCode).toBe(200);
    expect((await read()).conflicts).toMatchObject([
      {
        base: { development: [], production: [] },
        current: { development: [{ name: 'theirs' }], production: [] },
        resolutions: ['keep', 'drop'],
        unmergeable: expect.stringContaining('several environments'),
      },
    ]);
    expect((await resolve('keep')).conflicts).toEqual([]);
  });

  test('variants of one environment are merged by name', async () => {
    const name = await feature();
    const payload = { variants: [variant('mine')] };
    const { read, resolve } = await draft({ feature: name, action: 'patchVariant', payload });
    await app.ask(`PUT ${features}/${name}/environments/production/variants`, {
      payload: [variant('theirs')],
    });
    expect((await read()).conflicts[0].resolutions).toEqual(['merge', 'reapply', 'keep', 'drop']);
    const merged = await resolve('merge');
    expect(payloadOf(merged).variants.map((each: { name: string }) => each.name)).toEqual([
      'mine',
      'theirs',
    ]);
    expect(merged.conflicts).toEqual([]);
  });

  test('a default strategy is merged by property', async () => {
    const path = `${admin}/projects/${project}/environments/production/default-strategy` as const;
    const set = (payload: object) => app.ask(`POST ${path}`, { payload });
    await set(rollout('10', { title: 'Default' }));
    const { read, resolve } = await draft({
      action: 'updateDefaultStrategy',
      payload: rollout('50', { title: 'Default' }),
    });
    await set(rollout('10', { title: 'Theirs' }));
    expect((await read()).conflicts[0].resolutions).toContain('merge');
    expect(payloadOf(await resolve('merge'))).toMatchObject({
      title: 'Theirs',
      parameters: { rollout: '50' },
    });
    await set(rollout('20', { title: 'Theirs' }));
    const [conflict] = (await read()).conflicts;
    expect(conflict).toMatchObject({
      resolutions: ['reapply', 'keep', 'drop'],
      unmergeable: 'Both sides changed rollout',
    });
  });

  test('a change set conflicts if others change one of its parts, in any environment', async () => {
    const name = await feature();
    const first = await strategyOf(name);
    const second = await make(app.ask).strategy(name, rollout('1'), {
      project,
      environment: 'development',
    });
    const change = (id: unknown, environment: string, value: string) => ({
      action: 'updateStrategy',
      environment,
      payload: { id, ...rollout(value) },
    });
    const { read, resolve } = await draft({
      feature: name,
      action: 'saveFeatureChanges',
      payload: {
        changes: [change(first, 'production', '50'), change(second.id, 'development', '2')],
      },
    });
    await strategyOf(name);
    expect((await read()).conflicts).toEqual([]);
    const path = `${features}/${name}/environments/development/strategies/${second.id}` as const;
    await app.ask(`PUT ${path}`, { payload: rollout('1', { title: 'Theirs' }) });
    expect((await read()).conflicts[0].resolutions).toEqual(['merge', 'reapply', 'keep', 'drop']);
    const { changes } = payloadOf(await resolve('merge'));
    expect(changes).toMatchObject([
      { payload: { parameters: { rollout: '50' } } },
      { payload: { title: 'Theirs', parameters: { rollout: '2' } } },
    ]);
    await app.ask(`DELETE ${path}`);
    expect((await read()).conflicts).toMatchObject([{ resolutions: ['drop'] }]);
  });

  test('an import conflicts with changes of the features that it replaces', async () => {
    const [name, other] = [await feature(), await feature()];
    const data = {
      features: [{ name }, { name: `${name}-new` }],
      featureStrategies: [{ ...rollout('5'), featureName: name }],
      featureEnvironments: [],
      contextFields: [],
      featureTags: [],
      segments: [],
      tagTypes: [],
    };
    const { read, resolve } = await draft({
      action: 'importFeatures',
      payload: { project, environment: 'production', data },
    });
    await strategyOf(other);
    await make(app.ask).strategy(name, rollout('1'), { project, environment: 'development' });
    expect((await read()).conflicts).toEqual([]);
    await strategyOf(name);
    await make(app.ask).feature(`${name}-new`, { project });
    expect((await read()).conflicts).toMatchObject([
      {
        reason: `After this change was proposed, '${name}' was changed, '${name}-new' was created`,
        resolutions: ['keep', 'drop'],
        unmergeable: expect.any(String),
      },
    ]);
    expect((await resolve('keep')).conflicts).toEqual([]);
  });

  test('a clone conflicts if its original changes or its name is taken', async () => {
    const name = await feature();
    await strategyOf(name);
    const clone = { features: [{ feature: name, name: `${name}-copy` }] };
    const { read, resolve } = await draft({ action: 'cloneFeatures', payload: clone });
    await strategyOf(name);
    const [changed] = (await read()).conflicts;
    expect(changed).toMatchObject({
      reason: `After this change was proposed, '${name}' was changed`,
      resolutions: ['keep', 'drop'],
    });
    // Readers of the request may not be able to see the original.
    expect(JSON.stringify(changed)).not.toContain('flexibleRollout');
    expect((await resolve('keep')).conflicts).toEqual([]);
    await make(app.ask).feature(`${name}-copy`, { project });
    expect((await read()).conflicts).toMatchObject([
      {
        reason: `After this change was proposed, '${name}-copy' was created`,
        resolutions: ['drop'],
      },
    ]);
  });

  test.each(['createFeature', 'moveFeature', 'reviveFeatures', 'deleteFeatures'])(
    '%s conflicts when it is no longer possible',
    async (action) => {
      const name = await feature();
      const path = `${features}/${name}` as const;
      const archived = action === 'reviveFeatures' || action === 'deleteFeatures';
      if (archived) await app.ask(`DELETE ${path}`);
      const payload = {
        createFeature: { name: `${name}-new` },
        moveFeature: { feature: name, project, newProjectId: 'default' },
        reviveFeatures: { features: [name] },
        deleteFeatures: { features: [name] },
      }[action];
      const { read } = await draft({ action, payload });
      if (action === 'createFeature') await make(app.ask).feature(`${name}-new`);
      else if (archived) await app.ask(`POST ${admin}/archive/revive/${name}`);
      else await app.ask(`DELETE ${path}`);
      expect((await read()).conflicts).toMatchObject([{ resolutions: ['drop'] }]);
    },
  );

  test('removing a dependency does not conflict with other dependencies', async () => {
    const [child, first, second] = [await feature(), await feature(), await feature()];
    const depend = (parent: string) =>
      app.ask(`POST ${features}/${child}/dependencies`, { payload: { feature: parent } });
    await depend(first);
    const payload = { feature: first };
    const { read } = await draft({ feature: child, action: 'deleteDependency', payload });
    await depend(second);
    expect((await read()).conflicts).toEqual([]);
    await app.ask(`DELETE ${features}/${child}/dependencies/${first}`);
    expect((await read()).conflicts).toHaveLength(1);
  });
});

describe('an approved clone', () => {
  test('requires that its author can see the original, when it is proposed and when it is applied', async () => {
    await make(app.ask).project('composite-source');
    await make(app.ask).feature('composite-secret', { project: 'composite-source' });
    await make(app.ask).strategy('composite-secret', rollout('10'), {
      project: 'composite-source',
      environment: 'production',
    });
    const clone = (name: string) => ({
      action: 'cloneFeatures',
      payload: { features: [{ feature: 'composite-secret', name }] },
    });
    const { state } = await draft(clone('composite-secret-copy'));
    expect((await state(ada, 'In review')).statusCode).toBe(200);
    expect((await state(bob, 'Approved')).statusCode).toBe(200);
    const settings = { payload: { mode: 'private' } };
    await app.ask(`PUT ${admin}/projects/composite-source/settings`, settings);
    // Even if the user who applies it can see the original.
    for (const by of [bob, await person(app, { rootRole: 1 })]) {
      const applied = await state(by, 'Applied');
      expect([applied.statusCode, applied.body]).toEqual([
        400,
        expect.stringContaining("Feature 'composite-secret' not found"),
      ]);
    }
    const again = await ada.ask(
      `POST ${admin}/projects/${project}/environments/production/change-requests`,
      { payload: clone('composite-other-copy') },
    );
    expect(again.statusCode).toBe(400);
    // Bob applies it without seeing the original, because its author does.
    await app.db
      .insertInto('project_user_roles')
      .values({ project: 'composite-source', user_id: ada.id, role_id: 5, granted_at: new Date() })
      .execute();
    expect((await state(bob, 'Applied')).statusCode).toBe(200);
  });
});

describe('a change that uses defaults of the project', () => {
  const enable = (name: string) => ({
    feature: name,
    action: 'updateEnabled',
    payload: { enabled: true },
  });
  const setDefault = (rolloutOf: string) =>
    app.ask(`POST ${admin}/projects/${project}/environments/production/default-strategy`, {
      payload: {
        name: 'flexibleRollout',
        parameters: { rollout: rolloutOf, stickiness: 'userId' },
      },
    });

  test('conflicts if the default strategy that it would add changes', async () => {
    expect((await setDefault('20')).statusCode).toBe(200);
    const { id, read, resolve, state } = await draft(enable(await feature()));
    const [{ features: listed }] = (await ada.ask(`GET ${requests}`)).json();
    for (const shown of [listed, (await read()).features]) {
      expect(shown).toMatchObject([
        { defaultChange: { action: 'addStrategy', payload: { parameters: { rollout: '20' } } } },
      ]);
    }
    expect((await setDefault('100')).statusCode).toBe(200);
    expect((await read()).conflicts).toMatchObject([
      {
        reason: 'The default strategy that would be added changed after this change was proposed',
        base: { defaultStrategy: { parameters: { rollout: '20' } } },
        current: { defaultStrategy: { parameters: { rollout: '100' } } },
        resolutions: ['keep', 'drop'],
      },
    ]);
    expect((await resolve('keep')).conflicts).toEqual([]);
    await state(ada, 'In review');
    expect((await state(bob, 'Approved')).statusCode).toBe(200);
    expect((await setDefault('50')).statusCode).toBe(200);
    expect((await state(bob, 'Applied')).statusCode).toBe(409);
    await ada.ask(`PUT ${requests}/${id}/state`, { payload: { state: 'Cancelled' } });
  });

  test('conflicts if the default stickiness changes, unless its strategy has its own', async () => {
    const strategy = (parameters: object) => ({ name: 'flexibleRollout', parameters });
    const add = async (parameters: object) =>
      draft({ feature: await feature(), action: 'addStrategy', payload: strategy(parameters) });
    const setStickiness = (defaultStickiness: string) =>
      app.ask(`PUT ${admin}/projects/${project}`, {
        payload: { name: project, defaultStickiness },
      });
    const { state, read } = await add({ rollout: '50' });
    await state(ada, 'In review');
    await state(bob, 'Approved');
    expect((await setStickiness('sessionId')).statusCode).toBe(200);
    expect((await read()).conflicts).toMatchObject([
      { base: { stickiness: 'default' }, current: { stickiness: 'sessionId' } },
    ]);
    expect((await state(bob, 'Applied')).statusCode).toBe(409);
    await state(ada, 'Cancelled');
    const own = await add({ rollout: '50', stickiness: 'userId' });
    await setStickiness('default');
    expect((await own.read()).conflicts).toEqual([]);
  });

  test('does not conflict once the feature has a strategy, but does if the feature loses it', async () => {
    const name = await feature();
    const first = await draft(enable(name));
    const strategy = await strategyOf(name);
    expect((await setDefault('30')).statusCode).toBe(200);
    expect((await first.read()).conflicts).toEqual([]);
    const second = await draft(enable(name));
    await app.ask(`DELETE ${features}/${name}/environments/production/strategies/${strategy}`);
    expect((await second.read()).conflicts).toMatchObject([
      { reason: expect.stringContaining('no longer has an enabled strategy') },
    ]);
  });

  const addedStrategy = 'The default strategy that would be added changed';
  const parts = (name: string, ...changes: object[]) => ({
    feature: name,
    action: 'saveFeatureChanges',
    payload: { changes },
  });
  const on = (environment = 'production') => ({
    ...{ action: 'updateEnabled', environment },
    payload: { enabled: true },
  });

  test('conflicts if the default strategy changes, also within a change set', async () => {
    await setDefault('20');
    const { id, read, resolve, state } = await draft(
      parts(await feature(), on(), on('development')),
    );
    const added = (environment: string) => ({ environment, payload: { name: 'flexibleRollout' } });
    const [{ features: listed }] = (await ada.ask(`GET ${requests}`)).json();
    for (const shown of [listed, (await read()).features]) {
      expect(shown).toMatchObject([
        {
          changes: [{ defaultStrategies: [added('production'), added('development')] }],
          defaultChange: { action: 'addStrategy', payload: { parameters: { rollout: '20' } } },
        },
      ]);
    }
    await setDefault('100');
    expect((await read()).conflicts).toMatchObject([
      { reason: expect.stringContaining(addedStrategy), resolutions: ['keep', 'drop'] },
    ]);
    expect((await resolve('keep')).conflicts).toEqual([]);
    await state(ada, 'In review');
    expect((await state(bob, 'Approved')).statusCode).toBe(200);
    await setDefault('50');
    expect((await state(bob, 'Applied')).statusCode).toBe(409);
    await ada.ask(`PUT ${requests}/${id}/state`, { payload: { state: 'Cancelled' } });
  });

  test('considers strategies that earlier parts of a change set add or remove', async () => {
    const strategy = { name: 'flexibleRollout', parameters: { rollout: '50' } };
    const adding = { action: 'addStrategy', environment: 'production', payload: strategy };
    const first = await draft(parts(await feature(), adding, on()));
    await setDefault('20');
    expect(await first.read()).toMatchObject({
      conflicts: [],
      features: [{ name: expect.any(String) }],
    });
    expect((await first.read()).features[0].changes[0].defaultStrategies).toBeUndefined();
    const setStickiness = (defaultStickiness: string) =>
      app.ask(`PUT ${admin}/projects/${project}`, {
        payload: { name: project, defaultStickiness },
      });
    await setStickiness('sessionId');
    expect((await first.read()).conflicts).toMatchObject([
      { reason: expect.stringContaining('default stickiness'), resolutions: ['keep', 'drop'] },
    ]);
    await setStickiness('default');
    const name = await feature();
    const id = await strategyOf(name);
    const removing = { action: 'deleteStrategy', environment: 'production', payload: { id } };
    const second = await draft(parts(name, removing, on()));
    expect((await second.read()).features[0].defaultChange).toBeDefined();
    await setDefault('30');
    expect((await second.read()).conflicts).toMatchObject([
      { reason: expect.stringContaining(addedStrategy) },
    ]);
  });

  const setStickiness = (defaultStickiness: string) =>
    app.ask(`PUT ${admin}/projects/${project}`, { payload: { name: project, defaultStickiness } });

  test('stores the stickiness of the project for variants, also for those of new features', async () => {
    const name = await feature();
    const variants = [{ name: 'a', weight: 1000, weightType: 'variable' }];
    const fixed = [{ name: 'a', stickiness: 'default' }];
    const patch = { action: 'patchVariant', environment: 'production', payload: { variants } };
    const payloads = [];
    for (const change of [
      { feature: name, action: 'patchVariant', payload: { variants } },
      { feature: name, action: 'updateVariants', payload: { variants } },
      {
        action: 'createFeature',
        payload: { name: 'sticky-variants', environments: [{ name: 'production', variants }] },
      },
      parts(name, patch),
    ]) {
      payloads.push(payloadOf(await (await draft(change)).read()));
    }
    expect(payloads).toMatchObject([
      { variants: fixed },
      { variants: fixed },
      { environments: [{ variants: fixed }] },
      { changes: [{ payload: { variants: fixed } }] },
    ]);
  });

  test('uses the type that a strategy has after earlier parts of the change set', async () => {
    const name = await feature();
    const { id } = await make(app.ask).strategy(name, { name: 'default' }, production);
    const updating = (payload: object) => ({
      ...{ action: 'updateStrategy', environment: 'production', payload: { id, ...payload } },
    });
    const { read } = await draft(
      parts(
        name,
        updating({ parameters: { more: '1' } }),
        updating({ name: 'flexibleRollout' }),
        updating({ parameters: { rollout: '50' } }),
      ),
    );
    expect(
      payloadOf(await read()).changes.map(
        ({ payload }: { payload: { parameters: object } }) => payload.parameters,
      ),
    ).toEqual([{ more: '1' }, { stickiness: 'default' }, { rollout: '50', stickiness: 'default' }]);
  });

  test('keeps the stickiness from the time of the proposal if it updates a strategy', async () => {
    const name = await feature();
    const id = await strategyOf(name, '10');
    const payload = { id, parameters: { rollout: '50' } };
    const updating = { action: 'updateStrategy', environment: 'production', payload };
    const fixed = { parameters: { rollout: '50', stickiness: 'default' } };
    const several = await draft(parts(name, updating));
    expect(payloadOf(await several.read()).changes).toMatchObject([{ payload: fixed }]);
    const single = await draft({ feature: name, action: 'updateStrategy', payload });
    await setStickiness('sessionId');
    expect(payloadOf(await single.read())).toMatchObject(fixed);
    await single.state(ada, 'In review');
    await single.state(bob, 'Approved');
    expect((await single.state(bob, 'Applied')).statusCode).toBe(200);
    const path = `${features}/${name}/environments/production/strategies/${id}` as const;
    expect((await ada.ask(`GET ${path}`)).json()).toMatchObject(fixed);
    await setStickiness('default');
  });

  test('does not prevent merging other parts of a change set', async () => {
    const name = await feature();
    const id = await strategyOf(name, '10');
    const changed = { id, ...rollout('50') };
    const updating = { action: 'updateStrategy', environment: 'production', payload: changed };
    const { read, resolve } = await draft(parts(name, updating, on(), on('development')));
    const path = `${features}/${name}/environments/production/strategies/${id}` as const;
    await app.ask(`PUT ${path}`, { payload: rollout('10', { title: 'Theirs' }) });
    expect((await read()).conflicts[0].resolutions).toEqual(['merge', 'reapply', 'keep', 'drop']);
    expect(payloadOf(await resolve('merge')).changes).toMatchObject([
      { payload: { title: 'Theirs', parameters: { rollout: '50' } } },
      { action: 'updateEnabled', payload: { enabled: true } },
      { action: 'updateEnabled', payload: { enabled: true } },
    ]);
  });

  test('conflicts if the default strategy changes, also for a new feature', async () => {
    await setDefault('20');
    const environments = [{ name: 'production', enabled: true }];
    const { read, resolve, state } = await draft({
      action: 'createFeature',
      payload: { name: 'composite-enabled', environments },
    });
    const [{ changes: listed }] = (await ada.ask(`GET ${requests}`)).json();
    for (const shown of [listed, (await read()).changes]) {
      expect(shown).toMatchObject([
        {
          defaultStrategies: [
            { environment: 'production', payload: { parameters: { rollout: '20' } } },
          ],
        },
      ]);
    }
    await setDefault('100');
    expect((await read()).conflicts).toMatchObject([
      { reason: expect.stringContaining(addedStrategy), resolutions: ['keep', 'drop'] },
    ]);
    expect((await resolve('keep')).conflicts).toEqual([]);
    await state(ada, 'In review');
    await state(bob, 'Approved');
    await make(app.ask).feature('composite-enabled');
    expect((await read()).conflicts).toMatchObject([
      {
        reason: "After this change was proposed, 'composite-enabled' was created",
        resolutions: ['drop'],
      },
    ]);
  });
});

describe('a feature that an earlier change in the request adds to the project', () => {
  const place = `${admin}/projects/${project}/environments/production/change-requests` as const;
  const on = (name: string) => ({
    feature: name,
    action: 'updateEnabled',
    payload: { enabled: true },
  });

  /** Adds more changes to the draft of a change, and returns their answer. */
  const alsoPropose = (...changes: object[]) => ada.ask(`POST ${place}`, { payload: changes });
  const isEnabled = async (name: string) =>
    (await ada.ask(`GET ${features}/${name}/environments/production`)).json().enabled;

  test('can be changed if that change creates it, unless someone else does', async () => {
    const name = 'composite-brandnew';
    const { read, state } = await draft({ action: 'createFeature', payload: { name } });
    const adding = { feature: name, action: 'addStrategy', payload: rollout('10') };
    const updating = { feature: name, action: 'updateFeature', payload: { description: 'New' } };
    const more = await alsoPropose(adding, updating, on(name));
    expect(more.statusCode, more.body).toBe(200);
    expect(more.json()).toMatchObject({ conflicts: [], features: [{ name }] });
    expect(more.json().features[0]).not.toHaveProperty('conflict');
    expect(more.json().features[0]).not.toHaveProperty('defaultChange');
    await state(ada, 'In review');
    await state(bob, 'Approved');
    await make(app.ask).project('composite-hidden', { mode: 'private' });
    const description = 'hidden text';
    await make(app.ask).feature(name, { project: 'composite-hidden', description });
    const refused = await read();
    expect(refused.conflicts).toHaveLength(4);
    for (const { resolutions } of refused.conflicts) expect(resolutions).toEqual(['drop']);
    expect(JSON.stringify(refused)).not.toContain(description);
    expect((await state(bob, 'Applied')).statusCode).toBe(409);
    const theirs = `${admin}/projects/composite-hidden/features/${name}` as const;
    await app.ask(`DELETE ${theirs}`);
    await app.ask(`DELETE ${admin}/archive/${name}`);
    const applied = await state(bob, 'Applied');
    expect(applied.statusCode, applied.body).toBe(200);
    expect(await isEnabled(name)).toBe(true);
  });

  test('has the strategies of the original if that change clones it', async () => {
    const [original, bare] = [await feature(), await feature()];
    await strategyOf(original);
    const names = [original, bare].map((name) => `${name}-copy`);
    const clone = {
      features: [original, bare].map((name) => ({ feature: name, name: `${name}-copy` })),
    };
    const { state } = await draft({ action: 'cloneFeatures', payload: clone });
    const more = await alsoPropose(...names.map(on));
    expect(more.statusCode, more.body).toBe(200);
    expect(more.json().conflicts).toEqual([]);
    expect(
      more.json().features.map((each: { defaultChange?: object }) => 'defaultChange' in each),
    ).toEqual([false, true]);
    await state(ada, 'In review');
    await state(bob, 'Approved');
    const applied = await state(bob, 'Applied');
    expect(applied.statusCode, applied.body).toBe(200);
    for (const name of names) expect(await isEnabled(name)).toBe(true);
  });

  test('can be changed if that change revives it', async () => {
    const name = await feature();
    await strategyOf(name);
    await app.ask(`DELETE ${features}/${name}`);
    const { state } = await draft({ action: 'reviveFeatures', payload: { features: [name] } });
    const more = await alsoPropose(on(name));
    expect(more.statusCode, more.body).toBe(200);
    expect(more.json().conflicts).toEqual([]);
    await state(ada, 'In review');
    await state(bob, 'Approved');
    const applied = await state(bob, 'Applied');
    expect(applied.statusCode, applied.body).toBe(200);
    expect(await isEnabled(name)).toBe(true);
  });

  test('cannot be changed if that change moves it here', async () => {
    await make(app.ask).feature('composite-elsewhere');
    const move = { feature: 'composite-elsewhere', project: 'default', newProjectId: project };
    await draft({ action: 'moveFeature', payload: move });
    const more = await alsoPropose(on('composite-elsewhere'));
    expect([more.statusCode, more.json().details]).toEqual([
      400,
      [{ path: '/body/0/feature', message: expect.stringContaining('not in this project yet') }],
    ]);
  });
});
