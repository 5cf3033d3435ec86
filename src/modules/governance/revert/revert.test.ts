import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { featureStates } from '../../../../test/support/history.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { countEvents } from '../../../../test/support/recorded.ts';
import { readPresentStates } from '../../history/index.ts';

const app = await testApp();
const create = make(app.ask);
const features = '/api/admin/projects/default/features';

/** The newest event of a type about a feature. */
const newest = async (type: string, feature?: string): Promise<number> => {
  const about = feature === undefined ? '' : `&feature=IS:${feature}`;
  const found = await app.ask(`GET /api/admin/search/events?limit=1&type=IS:${type}${about}`);
  return found.json().events[0].id;
};

const revert = (id: number, payload: object = {}, { ask = app.ask, query = '' } = {}) =>
  ask(`POST /api/admin/events/${id}/revert${query}`, { payload });

const revertAll = (payload: object, { ask = app.ask, query = '' } = {}) =>
  ask(`POST /api/admin/events/revert${query}`, { payload });

const done = (response: LightMyRequestResponse) => {
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};

const ok = async (answer: ReturnType<TestApp['ask']>) => {
  const response = await answer;
  expect(response.statusCode, response.body).toBeLessThan(300);
  return response;
};

/** A feature with everything, as the history sees it. */
const stateOf = (...names: readonly string[]) => featureStates(app, ...names);

const rollout = (percent: string, more: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'g' },
  ...more,
});

/** A feature that has some of everything. */
async function furnished(name: string) {
  await create.feature(`${name}-parent`);
  await create.feature(name, { description: 'First', tags: [{ type: 'simple', value: name }] });
  await create.dependency(name, `${name}-parent`);
  const first = await create.strategy(name, rollout('10', { title: 'Some' }));
  const second = await create.strategy(name, rollout('20'));
  await create.strategy(name, rollout('30'), { environment: 'production' });
  await create.variants(name, [
    { name: 'blue', weight: 500 },
    { name: 'red', weight: 500 },
  ]);
  await create.switchedOn(name);
  await ok(app.ask(`POST ${features}/${name}/link`, { payload: { url: 'https://example.com/1' } }));
  return { name, first: String(first.id), second: String(second.id) };
}

test('every kind of change of a feature can be reverted, and so can its revert', async () => {
  const { name, first, second } = await furnished('each');
  const inDevelopment = `${features}/${name}/environments/development`;
  await create.feature('each-other');
  await create.segment('each-segment').then(async ({ id }) => {
    await ok(
      app.ask(`PUT ${inDevelopment}/strategies/${second}`, {
        payload: rollout('21', { segments: [id] }),
      }),
    );
  });
  const changes: Readonly<Record<string, () => ReturnType<TestApp['ask']>>> = {
    metadata: () =>
      app.ask(`PUT ${features}/${name}`, {
        payload: { description: 'Other', type: 'experiment', stale: true, impressionData: true },
      }),
    tag: () =>
      app.ask(`PUT /api/admin/features/${name}/tags`, {
        payload: { addedTags: [], removedTags: [{ type: 'simple', value: name }] },
      }),
    disabled: () => app.ask(`POST ${inDevelopment}/off`),
    strategy: () =>
      app.ask(`PUT ${inDevelopment}/strategies/${first}`, {
        payload: rollout('55', { title: 'Others' }),
      }),
    added: () => app.ask(`POST ${inDevelopment}/strategies`, { payload: rollout('70') }),
    removed: () => app.ask(`DELETE ${inDevelopment}/strategies/${second}`),
    reordered: () =>
      app.ask(`POST ${inDevelopment}/strategies/set-sort-order`, {
        payload: [
          { id: first, sortOrder: 5 },
          { id: second, sortOrder: 2 },
        ],
      }),
    variants: () =>
      app.ask(`PUT ${inDevelopment}/variants`, { payload: [{ name: 'green', weight: 1000 }] }),
    'variants everywhere': () =>
      app.ask(`PUT ${features}/${name}/variants`, { payload: [{ name: 'gold', weight: 1000 }] }),
    dependency: () => app.ask(`DELETE ${features}/${name}/dependencies/${name}-parent`),
    link: () =>
      app.ask(`POST ${features}/${name}/link`, { payload: { url: 'https://example.com/2' } }),
    archived: () => app.ask(`DELETE ${features}/${name}`),
  };
  for (const [what, change] of Object.entries(changes)) {
    const before = await stateOf(name);
    const { head } = await log();
    await ok(change());
    const changed = await stateOf(name);
    expect(changed, what).not.toEqual(before);
    const { changes: made, eventIds } = done(await revertAll(await since(head)));
    expect(await stateOf(name), what).toEqual(before);
    expect(made.length, what).toBeGreaterThan(0);
    const again = done(await revertAll({ eventIds }));
    expect(comparableOf(await stateOf(name)), what).toEqual(comparableOf(changed));
    done(await revertAll({ eventIds: again.eventIds }));
    expect(await stateOf(name), what).toEqual(before);
  }
});

/** The time of an archiving is that of its last event. */
const comparableOf = (states: unknown) =>
  JSON.parse(JSON.stringify(states).replace(/"archivedAt":"[^"]*"/g, '"archivedAt":"some time"'));

const log = async () => ({
  head: (await app.ask('GET /api/admin/search/events?limit=1')).json().events[0].id as number,
});

const since = async (head: number) => ({
  from: String(head + 1),
  to: String((await log()).head),
});

test('reverting a deletion restores the whole feature, and reverting a creation deletes it', async () => {
  const { name } = await furnished('gone');
  const before = await stateOf(name);
  const { head } = await log();
  await ok(app.ask(`DELETE ${features}/${name}`));
  await ok(app.ask(`DELETE /api/admin/archive/${name}`));
  const range = await since(head);
  const dry = done(await revertAll(range, { query: '?dryRun=true' }));
  expect(await stateOf(name)).toEqual([]);
  const answer = done(await revertAll({ ...range, comment: 'By mistake' }));
  expect(dry.missingPermission).toBeNull();
  expect(answer).toEqual({ ...dry, dryRun: false, decisions: null, eventIds: expect.any(Array) });
  expect(dry.decisions).toMatchObject({ environment: 'production', features: [] });
  expect(await stateOf(name)).toEqual(before);
  const recorded = await app.db
    .selectFrom('events')
    .where('id', 'in', answer.eventIds)
    .select('data')
    .execute();
  for (const { data } of recorded) {
    expect(data).toMatchObject({ comment: 'By mistake', reverts: expect.any(Array) });
  }

  await create.feature('made');
  const creation = await newest('feature-created', 'made');
  await create.strategy('made', rollout('1'));
  const refused = await revert(creation);
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    {
      name: 'ConflictError',
      conflicts: [{ type: 'feature', name: 'made', field: 'environments' }],
    },
  ]);
  done(await revertAll({ eventIds: [creation, await newest('feature-strategy-add', 'made')] }));
  expect(await stateOf('made')).toEqual([]);
});

test('a revert keeps later changes of other properties; a later change of the same is a conflict', async () => {
  const { name, first } = await furnished('merged');
  const strategy = `${features}/${name}/environments/development/strategies/${first}`;
  await ok(app.ask(`PUT ${strategy}`, { payload: rollout('50', { title: 'Some' }) }));
  const event = await newest('feature-strategy-update', name);
  await ok(
    app.ask(`PATCH ${strategy}`, { payload: [{ op: 'replace', path: '/title', value: 'Half' }] }),
  );
  done(await revert(event));
  expect((await app.ask(`GET ${strategy}`)).json()).toMatchObject({
    title: 'Half',
    parameters: { rollout: '10' },
  });
  const nothing = await revert(event);
  expect([nothing.statusCode, nothing.json()]).toMatchObject([
    409,
    {
      message: 'There is nothing to revert',
      notReverted: [{ eventId: event, reason: expect.stringContaining('Nothing is left') }],
    },
  ]);

  await ok(app.ask(`PUT ${features}/${name}`, { payload: { description: 'A', stale: true } }));
  const both = await newest('feature-metadata-updated', name);
  await ok(app.ask(`PUT ${features}/${name}`, { payload: { description: 'B' } }));
  const later = await newest('feature-metadata-updated', name);
  const conflict = {
    ...{ type: 'feature', project: 'default', name, field: 'description' },
    ...{ after: 'A', now: 'B', eventIds: [later], reason: 'It was changed again later' },
    // biome-ignore lint/suspicious/noThenProperty: a property of the response
    then: 'First',
  };
  const events = await countEvents(app.db);
  const refused = await revert(both);
  expect([refused.statusCode, refused.json().conflicts]).toEqual([409, [conflict]]);
  expect(await countEvents(app.db)).toBe(events);
  expect(done(await revert(both, {}, { query: '?dryRun=true' })).conflicts).toEqual([conflict]);
  done(await revert(both, { conflicts: 'keepCurrent' }));
  expect((await app.ask(`GET ${features}/${name}`)).json()).toMatchObject({
    description: 'B',
    stale: false,
  });
});

test('a revert requires the permissions of the operations that it performs', async () => {
  const { name } = await furnished('guarded');
  const viewer = await person(app);
  const { head } = await log();
  await ok(app.ask(`POST ${features}/${name}/environments/development/off`));
  const id = head + 1;
  const refused = await revert(id, {}, { ask: viewer.ask });
  const message = expect.stringContaining('UPDATE_FEATURE_ENVIRONMENT');
  expect([refused.statusCode, refused.json().message]).toEqual([403, message]);
  const plan = done(await revert(id, {}, { ask: viewer.ask, query: '?dryRun=true' }));
  expect(plan).toMatchObject({ missingPermission: message, changes: [{ name }] });
  const member = await person(app, { roles: { default: 5 } });
  done(await revert(id, {}, { ask: member.ask }));
  expect((await revert(99_999_999)).statusCode).toBe(404);
  expect((await app.ask('POST /api/admin/events/x/revert', { payload: {} })).statusCode).toBe(404);
});

test('a revert changes neither a feature in a hidden project nor a new one with the same name', async () => {
  await create.project('shown-then');
  await create.project('hidden-now', { mode: 'private' });
  const path = '/api/admin/projects/shown-then/features';
  await create.feature('moving', { project: 'shown-then', description: 'Old' });
  await ok(app.ask(`PUT ${path}/moving`, { payload: { description: 'Secret' } }));
  const id = await newest('feature-metadata-updated', 'moving');
  const member = await person(app, { roles: { 'shown-then': 4 } });
  await ok(
    app.ask(`POST ${path}/moving/changeProject`, { payload: { newProjectId: 'hidden-now' } }),
  );
  const refused = await revert(id, {}, { ask: member.ask, query: '?dryRun=true' });
  expect(refused.json()).toMatchObject({
    changes: [],
    conflicts: [],
    notReverted: [{ eventId: id, reason: expect.stringContaining("you can't see") }],
  });

  await create.feature('twice', { description: 'One' });
  await ok(app.ask(`PUT ${features}/twice`, { payload: { description: 'Two' } }));
  const old = await newest('feature-metadata-updated', 'twice');
  await ok(app.ask(`DELETE ${features}/twice`));
  await ok(app.ask('DELETE /api/admin/archive/twice'));
  const deleted = await newest('feature-deleted', 'twice');
  await create.feature('twice', { description: 'Two' });
  for (const each of [old, deleted]) {
    const another = await revert(each);
    expect([another.statusCode, another.json().notReverted[0].reason]).toEqual([
      409,
      expect.stringContaining('another one with this name'),
    ]);
  }
});

test('an invalid selection is rejected, and an empty one has nothing to revert', async () => {
  for (const payload of [
    {},
    { eventIds: [1], requestId: 'x' },
    { from: '1' },
    { eventIds: [1], project: 'default' },
    { eventIds: Array.from({ length: 1_001 }, (_, index) => index + 1) },
    { from: '2', to: 'soon' },
  ]) {
    expect((await revertAll(payload)).statusCode, JSON.stringify(payload)).toBe(400);
  }
  const unknown = await revertAll({ requestId: 'nobody' });
  expect([unknown.statusCode, unknown.json().message]).toEqual([404, "Request 'nobody' not found"]);
  const times = { from: '2001-01-01T00:00:00Z', to: new Date().toISOString(), project: 'nowhere' };
  const nothing = await revertAll(times);
  expect([nothing.statusCode, nothing.json().message]).toEqual([409, 'There is nothing to revert']);
  const planned = await revertAll(times, { query: '?dryRun=true' });
  expect([planned.statusCode, planned.json()]).toMatchObject([200, { reverts: [], changes: [] }]);
  const head = await newest('feature-created');
  const reversed = await revertAll({ from: String(head), to: String(head - 2) });
  expect([reversed.statusCode, reversed.body]).toEqual([400, expect.stringContaining('later')]);
});

test('reverting a range in one environment restores a feature deleted with its project', async () => {
  await create.project('deleted-meanwhile');
  await create.feature('of-meanwhile', { project: 'deleted-meanwhile' });
  const production = { project: 'deleted-meanwhile', environment: 'production' };
  await create.strategy('of-meanwhile', rollout('10'), production);
  const from = String((await newest('feature-strategy-add')) + 1);
  const before = await stateOf('of-meanwhile');
  await ok(app.ask('DELETE /api/admin/projects/deleted-meanwhile/features/of-meanwhile'));
  await ok(app.ask('DELETE /api/admin/projects/deleted-meanwhile'));
  const to = String(await newest('project-deleted'));
  done(await revertAll({ from, to, environment: 'production' }));
  expect(await stateOf('of-meanwhile')).toEqual(before);
});

test('a revert needs no body', async () => {
  await create.feature('without-body');
  const id = await newest('feature-created');
  const planned = await app.ask(`POST /api/admin/events/${id}/revert?dryRun=true`);
  expect(done(planned).changes).toMatchObject([{ type: 'feature', name: 'without-body' }]);
  done(await app.ask(`POST /api/admin/events/${id}/revert`));
  expect(await stateOf('without-body')).toEqual([]);
});

/** The current state of an object that is not a feature. */
const present = async (
  kind: 'segment' | 'context-field' | 'project' | 'strategy-type',
  key: string,
) => (await readPresentStates(app.db, [{ kind, key }])).map(({ state }) => state);

test('a deleted segment is restored with its ID, together with the strategy that used it', async () => {
  const { id } = await create.segment('nordics', { description: 'North' });
  await create.feature('segmented');
  const strategy = await create.strategy('segmented', rollout('5', { segments: [id] }));
  const before = [await present('segment', String(id)), await stateOf('segmented')];
  const { head } = await log();
  await ok(
    app.ask(
      `DELETE ${features}/segmented/environments/development/strategies/${String(strategy.id)}`,
    ),
  );
  await ok(
    app.ask(`PUT /api/admin/segments/${id}`, {
      payload: { name: 'nordics-2', constraints: [] },
    }),
  );
  await ok(app.ask(`DELETE /api/admin/segments/${id}`));
  const { eventIds } = done(await revertAll(await since(head)));
  expect([await present('segment', String(id)), await stateOf('segmented')]).toEqual(before);
  done(await revertAll({ eventIds }));
  expect(await present('segment', String(id))).toEqual([]);
});

test('changes of projects, context fields, and strategy types can be reverted', async () => {
  await create.project('changing', { description: 'One' });
  const context = '/api/admin/context';
  await ok(
    app.ask(`POST ${context}`, { payload: { name: 'plan', legalValues: [{ value: 'a' }] } }),
  );
  await ok(app.ask('POST /api/admin/strategies', { payload: { name: 'own', parameters: [] } }));
  const read = async () => [
    await present('project', 'changing'),
    await present('context-field', 'plan'),
    await present('strategy-type', 'own'),
  ];
  const before = await read();
  const { head } = await log();
  await ok(
    app.ask('PUT /api/admin/projects/changing', {
      payload: { name: 'Changed', description: 'Two', mode: 'protected' },
    }),
  );
  await ok(app.ask('POST /api/admin/projects/archive/changing'));
  await ok(app.ask(`DELETE ${context}/plan`));
  await ok(app.ask('POST /api/admin/strategies/own/deprecate'));
  await ok(
    app.ask('PUT /api/admin/strategies/own', { payload: { description: 'Ours', parameters: [] } }),
  );
  const changed = await read();
  const { eventIds, notReverted } = done(await revertAll(await since(head)));
  expect([await read(), notReverted]).toEqual([before, []]);
  done(await revertAll({ eventIds }));
  expect(comparableOf(await read())).toEqual(comparableOf(changed));
});

test('an event that cannot be reverted is reported with the reason', async () => {
  await ok(
    app.ask('POST /api/admin/api-tokens', {
      payload: { tokenName: 'ci', type: 'client', environment: 'development', projects: ['*'] },
    }),
  );
  const refused = await revert(await newest('api-token-created'));
  expect([refused.statusCode, refused.json().notReverted]).toEqual([
    409,
    [expect.objectContaining({ reason: "Secrets that were shown or deleted can't be restored" })],
  ]);
});

test('where changes need approval, a revert becomes a change request and is applied once approved', async () => {
  const project = 'approved';
  await create.project(project);
  await create.feature('approved-feature', { project });
  const production = { project, environment: 'production' };
  await create.strategy('approved-feature', rollout('5'), production);
  await create.switchedOn('approved-feature', production);
  const id = await newest('feature-environment-enabled', 'approved-feature');
  await ok(
    app.ask(`PUT /api/admin/projects/${project}/environments/production/change-requests/config`, {
      payload: { changeRequestsEnabled: true, requiredApprovals: 1 },
    }),
  );
  const member = await person(app, { roles: { [project]: 5 } });
  const viewer = await person(app);
  const refused = await revert(id, {}, { ask: member.ask });
  expect([refused.statusCode, refused.json().proposal.body]).toEqual([
    403,
    { action: 'revertEvents', payload: { eventIds: [id], conflicts: 'refuse' } },
  ]);
  const byViewer = await revert(id, {}, { ask: viewer.ask, query: '?propose=true' });
  expect([byViewer.statusCode, byViewer.json()]).toEqual([
    202,
    { changeRequest: { id: expect.any(Number), ...production } },
  ]);
  const request = `/api/admin/projects/${project}/change-requests/${byViewer.json().changeRequest.id}`;
  await ok(viewer.ask(`PUT ${request}/state`, { payload: { state: 'In review' } }));
  const owner = await person(app, { roles: { [project]: 4 } });
  await ok(owner.ask(`PUT ${request}/state`, { payload: { state: 'Approved' } }));
  await ok(owner.ask(`PUT ${request}/state`, { payload: { state: 'Applied' } }));
  expect(
    (await app.ask(`GET /api/admin/projects/${project}/features/approved-feature`))
      .json()
      .environments.find(({ name }: { name: string }) => name === 'production'),
  ).toMatchObject({ enabled: false });
  const data = await app.db
    .selectFrom('events')
    .where('type', '=', 'feature-environment-disabled')
    .where('feature_name', '=', 'approved-feature')
    .select('data')
    .executeTakeFirstOrThrow();
  expect(data).toMatchObject({ data: { reverts: [id], changeRequestId: expect.any(Number) } });
});
