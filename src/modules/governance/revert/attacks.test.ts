import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { askedDuring } from '../../../../test/support/locks.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { countEvents } from '../../../../test/support/recorded.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { lockProject } from '../../catalogue/projects/index.ts';

const app = await testApp();
const create = make(app.ask);
const admin = '/api/admin';

await create.project('mine');
await create.project('theirs');
await create.project('secret', { mode: 'private' });

const newest = async (type: string, feature?: string): Promise<number> => {
  const about = feature === undefined ? '' : `&feature=IS:${feature}`;
  const found = await app.ask(`GET ${admin}/search/events?limit=1&type=IS:${type}${about}`);
  return found.json().events[0].id;
};

const describe = async (project: string, feature: string, description: string) => {
  const path = `${admin}/projects/${project}/features/${feature}` as const;
  const { statusCode, body } = await app.ask(`PUT ${path}`, { payload: { description } });
  expect(statusCode, body).toBe(200);
  return newest('feature-metadata-updated', feature);
};

type Ask = typeof app.ask;

const revertAll = (ask: Ask, payload: object, query = '') =>
  ask(`POST ${admin}/events/revert${query}`, { payload });

test('a member of one project cannot revert events of another, not even together with their own', async () => {
  await create.feature('of-mine', { project: 'mine', description: 'Old' });
  await create.feature('of-theirs', { project: 'theirs', description: 'Old' });
  const own = await describe('mine', 'of-mine', 'New');
  const other = await describe('theirs', 'of-theirs', 'New');
  const member = await person(app, { roles: { mine: 4 } });
  const events = await countEvents(app.db);
  for (const payload of [
    { eventIds: [other] },
    { eventIds: [own, other] },
    { from: `${own}`, to: `${other}` },
  ]) {
    for (const query of ['', '?propose=true']) {
      const refused = await revertAll(member.ask, payload, query);
      expect([refused.statusCode, refused.body]).toEqual([
        403,
        expect.stringContaining('UPDATE_FEATURE'),
      ]);
    }
  }
  expect(await countEvents(app.db)).toBe(events);
});

test('a user who may only update strategies can revert neither their creation nor their removal', async () => {
  await app.ask(`POST ${admin}/roles`, {
    payload: {
      name: 'tuner',
      description: 'Tunes strategies',
      type: 'custom',
      permissions: [{ name: 'UPDATE_FEATURE_STRATEGY', environment: 'development' }],
    },
  });
  const role = await app.db
    .selectFrom('roles')
    .where('name', '=', 'tuner')
    .select('id')
    .executeTakeFirstOrThrow();
  const tuner = await person(app, { roles: { mine: role.id } });
  await create.feature('tuned', { project: 'mine' });
  const there = { project: 'mine', environment: 'development' };
  const strategy = await create.strategy('tuned', { name: 'flexibleRollout' }, there);
  const added = await newest('feature-strategy-add', 'tuned');
  const path = `${admin}/projects/mine/features/tuned/environments/development/strategies/${strategy.id}`;
  await app.ask(`PUT ${path as '/'}`, {
    payload: { name: 'flexibleRollout', title: 'Other', parameters: { rollout: '5' } },
  });
  const updated = await newest('feature-strategy-update', 'tuned');
  expect((await revertAll(tuner.ask, { eventIds: [updated] })).statusCode).toBe(200);
  for (const [eventIds, permission] of [
    [[added], 'DELETE_FEATURE_STRATEGY'],
    [[added, updated], 'DELETE_FEATURE_STRATEGY'],
  ] as const) {
    const refused = await revertAll(tuner.ask, { eventIds, conflicts: 'keepCurrent' });
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining(permission)]);
  }
  await app.ask(`DELETE ${path as '/'}`);
  const removed = await newest('feature-strategy-remove', 'tuned');
  const refused = await revertAll(tuner.ask, { eventIds: [removed] });
  expect([refused.statusCode, refused.body]).toEqual([
    403,
    expect.stringContaining('CREATE_FEATURE_STRATEGY'),
  ]);
});

test('a revert reveals nothing about events of a private project, however they are selected', async () => {
  await create.feature('of-secret', { project: 'secret', description: 'Old' });
  const hidden = await describe('secret', 'of-secret', 'New');
  const requestId = (
    await app.db
      .selectFrom('events')
      .where('id', '=', hidden)
      .select('request_id as requestId')
      .executeTakeFirstOrThrow()
  ).requestId;
  const member = await person(app, { roles: { mine: 4 } });
  const one = await revertAll(member.ask, { eventIds: [hidden] }, '?dryRun=true');
  expect(one.statusCode).toBe(404);
  const byRequest = await revertAll(member.ask, { requestId }, '?dryRun=true');
  expect([byRequest.statusCode, byRequest.json().message]).toEqual([
    404,
    `Request '${requestId}' not found`,
  ]);
  for (const payload of [
    { from: `${hidden}`, to: `${hidden}` },
    { from: `${hidden}`, to: `${hidden}`, project: 'secret' },
  ]) {
    const found = await revertAll(member.ask, payload, '?dryRun=true');
    expect([found.statusCode, found.json()]).toMatchObject([
      200,
      { reverts: [], changes: [], conflicts: [], notReverted: [], decisions: null },
    ]);
  }
  const reverts = await app.ask(`POST ${admin}/events/${hidden}/revert`, { payload: {} });
  const [by] = reverts.json().eventIds;
  const path = `GET ${admin}/search/events/reverts?id=${hidden},${by}` as const;
  expect((await app.ask(path)).json().reverts).toEqual([
    { eventId: hidden, revertedBy: [by], isReverted: true },
  ]);
  expect((await member.ask(path)).json().reverts).toEqual([]);
});

test('a change request cannot revert events of another project, even if a member of both applies it', async () => {
  for (const project of ['mine', 'theirs']) {
    await app.ask(
      `PUT ${admin}/projects/${project}/environments/production/change-requests/config`,
      { payload: { changeRequestsEnabled: project === 'mine', requiredApprovals: 1 } },
    );
  }
  const theirs = await describe('theirs', 'of-theirs', 'Newest');
  const member = await person(app, { roles: { mine: 5 } });
  const both = await person(app, { roles: { mine: 4, theirs: 4 } });
  const drafted = await member.ask(
    `POST ${admin}/projects/mine/environments/production/change-requests`,
    { payload: { action: 'revertEvents', payload: { eventIds: [theirs] } } },
  );
  if (drafted.statusCode < 300) {
    const request = `${admin}/projects/mine/change-requests/${drafted.json().id}` as const;
    await member.ask(`PUT ${request}/state`, { payload: { state: 'In review' } });
    await both.ask(`PUT ${request}/state`, { payload: { state: 'Approved' } });
    const applied = await both.ask(`PUT ${request}/state`, { payload: { state: 'Applied' } });
    expect([applied.statusCode, applied.body]).toEqual([
      400,
      expect.stringContaining("must be events of the project 'mine'"),
    ]);
  }
  const { description } = (await app.ask(`GET ${admin}/projects/theirs/features/of-theirs`)).json();
  expect(description).toBe('Newest');
});

test('a change request cannot revert changes of project settings', async () => {
  await create.project('shielded');
  const set = (mode: string) =>
    app.ask(`PUT ${admin}/projects/shielded`, { payload: { name: 'Shielded', mode } });
  await set('open');
  await set('private');
  const updated = await newest('project-updated');
  const member = await person(app, { roles: { shielded: 5 } });
  const drafted = await member.ask(
    `POST ${admin}/projects/shielded/environments/development/change-requests`,
    { payload: { action: 'revertEvents', payload: { eventIds: [updated] } } },
  );
  expect([drafted.statusCode, drafted.body]).toEqual([
    400,
    expect.stringContaining(
      'can only revert changes of features, segments, and default strategies',
    ),
  ]);
});

test('a change that is committed while a revert waits is merged, not overwritten', async () => {
  const { id } = await create.segment('merged', { description: 'Old' });
  const change = (payload: object) =>
    app.ask(`PUT ${admin}/segments/${id}`, { payload: { name: 'merged', ...payload } });
  const old = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
  await change({ description: 'New', constraints: old });
  const stored = async () => (await app.ask(`GET ${admin}/segments/${id}`)).json();
  const { constraints } = await stored();
  const fresh = constraints.map((each: object) => ({ ...each, values: ['2'] }));
  const described = await newest('segment-updated');
  const { waited, response } = await askedDuring(
    app,
    (tx) =>
      tx.db
        .updateTable('segments')
        .set({ constraints: JSON.stringify(fresh) })
        .where('id', '=', id)
        .execute(),
    () => revertAll(app.ask, { eventIds: [described], conflicts: 'keepCurrent' }),
  );
  expect(waited).toBe(true);
  expect(response.statusCode, response.body).toBe(200);
  const segment = await stored();
  expect([segment.description, segment.constraints]).toMatchObject(['Old', fresh]);
});

/** A change of a catalogue object, and what another transaction changes in it meanwhile. */
const changedMeanwhile = [
  {
    type: 'tag-type-updated',
    create: [`POST ${admin}/tag-types`, { name: 'raced', description: 'Old', icon: 'A' }],
    change: [`PUT ${admin}/tag-types/raced`, { description: 'New', icon: 'A' }],
    meanwhile: (tx: Tx) =>
      tx.db.updateTable('tag_types').set({ icon: 'B' }).where('name', '=', 'raced').execute(),
    read: `GET ${admin}/tag-types/raced`,
    now: { tagType: { description: 'Old', icon: 'B' } },
  },
  {
    type: 'strategy-updated',
    create: [
      `POST ${admin}/strategies`,
      { name: 'raced', title: 'T', description: 'Old', parameters: [] },
    ],
    change: [`PUT ${admin}/strategies/raced`, { title: 'T', description: 'New', parameters: [] }],
    meanwhile: (tx: Tx) =>
      tx.db.updateTable('strategy_types').set({ title: 'U' }).where('name', '=', 'raced').execute(),
    read: `GET ${admin}/strategies/raced`,
    now: { description: 'Old', title: 'U' },
  },
  {
    type: 'environment-updated',
    create: [`POST ${admin}/environments`, { name: 'raced', type: 'test' }],
    change: [`PUT ${admin}/environments/update/raced`, { type: 'production' }],
    meanwhile: (tx: Tx) =>
      tx.db
        .updateTable('environments')
        .set({ sort_order: 77 })
        .where('name', '=', 'raced')
        .execute(),
    read: `GET ${admin}/environments/raced`,
    now: { type: 'test', sortOrder: 77 },
  },
  {
    type: 'default-strategy-updated',
    create: [
      `POST ${admin}/projects/mine/environments/development/default-strategy`,
      { name: 'flexibleRollout', title: 'Old', parameters: { rollout: '1' } },
    ],
    change: [
      `POST ${admin}/projects/mine/environments/development/default-strategy`,
      { name: 'flexibleRollout', title: 'New', parameters: { rollout: '1' } },
    ],
    meanwhile: async (tx: Tx) => {
      await lockProject(tx, 'mine', 'change');
      await tx.db
        .updateTable('project_environments')
        .set({
          default_strategy: sql`jsonb_set(default_strategy::jsonb, '{parameters,rollout}', '"2"')`,
        })
        .where('project', '=', 'mine')
        .where('environment', '=', 'development')
        .execute();
    },
    read: `GET ${admin}/projects/mine/environments/development/default-strategy`,
    now: { title: 'Old', parameters: { rollout: '2' } },
  },
] as const;

test.each(changedMeanwhile)(
  '$type: a change made while its revert waits is kept',
  async ({ type, create: [post, old], change: [put, fresh], meanwhile, read, now }) => {
    for (const [request, payload] of [
      [post, old],
      [put, fresh],
    ] as const) {
      const made = await app.ask(request, { payload });
      expect(made.statusCode, made.body).toBeLessThan(300);
    }
    const id = await newest(type);
    const { waited, response } = await askedDuring(app, meanwhile, () =>
      revertAll(app.ask, { eventIds: [id] }),
    );
    expect([waited, response.statusCode, response.body]).toEqual([true, 200, expect.any(String)]);
    expect((await app.ask(read)).json()).toMatchObject(now);
  },
);

test('feature-type-updated: a lifetime changed while its revert waits is a conflict', async () => {
  const path = `${admin}/feature-types/release/lifetime` as const;
  for (const lifetimeDays of [40, 50]) {
    await app.ask(`PUT ${path}`, { payload: { lifetimeDays } });
  }
  const id = await newest('feature-type-updated');
  const { waited, response } = await askedDuring(
    app,
    (tx) =>
      tx.db
        .updateTable('feature_types')
        .set({ lifetime_days: 60 })
        .where('id', '=', 'release')
        .execute(),
    () => revertAll(app.ask, { eventIds: [id] }),
  );
  expect([waited, response.statusCode]).toEqual([true, 409]);
  expect(response.json().conflicts).toMatchObject([{ field: 'lifetimeDays', after: 50, now: 60 }]);
});

test('a revert does not reveal a segment that was moved to a private project', async () => {
  const { id } = await create.segment('leaving', { description: 'Old' });
  await app.ask(`PUT ${admin}/segments/${id}`, {
    payload: { name: 'leaving', description: 'Confidential', constraints: [], project: 'secret' },
  });
  const moved = await newest('segment-updated');
  const editor = await person(app, { rootRole: 2 });
  for (const query of ['?dryRun=true', '']) {
    const refused = await revertAll(editor.ask, { eventIds: [moved] }, query);
    expect(refused.statusCode).toBeGreaterThanOrEqual(query === '' ? 400 : 200);
    expect(refused.body).not.toContain('Confidential');
  }
});

test('only the last deletion of a project can be reverted, which restores its last mode', async () => {
  await create.project('twice');
  await app.ask(`DELETE ${admin}/projects/twice`);
  const first = await newest('project-deleted');
  await create.project('twice', { mode: 'private' });
  await app.ask(`DELETE ${admin}/projects/twice`);
  const last = await newest('project-deleted');
  const refused = await revertAll(app.ask, { eventIds: [first] });
  expect([refused.statusCode, refused.body]).toEqual([
    409,
    expect.stringContaining('existed again later'),
  ]);
  const reverted = await revertAll(app.ask, { eventIds: [last] });
  expect(reverted.statusCode, reverted.body).toBe(200);
  const { mode } = (await app.ask(`GET ${admin}/projects/twice/overview`)).json();
  expect(mode).toBe('private');
});

test('malformed selections are rejected without a server error', async () => {
  const id = await newest('feature-created');
  for (const payload of [
    { eventIds: [Number.MAX_SAFE_INTEGER] },
    { eventIds: [1.5] },
    { eventIds: ['1'] },
    { eventIds: [0] },
    { requestId: '\u0000' },
    { requestId: "' or 1=1" },
    { from: '0', to: '99999999999999999999' },
    { from: '9', to: '1' },
    { from: '2026-02-30T00:00:00Z', to: '2026-03-01T00:00:00Z' },
    { from: '-1', to: '1' },
    { from: '1', to: '2', project: '\u0000' },
    { from: '1', to: '2', environment: '💥' },
    { eventIds: [id], conflicts: 'overwrite' },
    { eventIds: [id], comment: 7 },
  ]) {
    const { statusCode, body } = await revertAll(app.ask, payload, '?dryRun=true');
    expect(statusCode, `${JSON.stringify(payload)}: ${body}`).toBeLessThan(500);
    expect(statusCode, `${JSON.stringify(payload)}: ${body}`).toBeGreaterThanOrEqual(400);
  }
  for (const path of ['reverts', 'reverts?id=0', 'reverts?id=x', 'reverts?id=1.5']) {
    expect((await app.ask(`GET ${admin}/search/events/${path}`)).statusCode).toBe(400);
  }
});

test('reverting the deletion of a project restores features, segments, settings, and access', async () => {
  await create.project('lost', { description: 'Precious', defaultStickiness: 'userId' });
  const [owner, gone] = [await person(app), await person(app)];
  for (const [role, user] of [
    [4, owner.id],
    [5, gone.id],
  ]) {
    const payload = { roles: [role], groups: [], users: [user] };
    await app.ask(`POST ${admin}/projects/lost/access`, { payload });
  }
  await app.ask(`PUT ${admin}/projects/lost/environments/production/change-requests/config`, {
    payload: { changeRequestsEnabled: true, requiredApprovals: 2 },
  });
  const { id: segment } = await create.segment('of-lost', { project: 'lost' });
  await create.feature('kept', { project: 'lost', description: 'Kept' });
  await create.strategy(
    'kept',
    { name: 'flexibleRollout', segments: [segment] },
    { project: 'lost', environment: 'development' },
  );
  await app.ask(`DELETE ${admin}/projects/lost/features/kept`);
  const read = async () => ({
    overview: (await app.ask(`GET ${admin}/projects/lost/overview`)).json(),
    feature: (await app.ask(`GET ${admin}/projects/lost/features/kept?archived=true`)).json(),
    rules: (await app.ask(`GET ${admin}/projects/lost/change-requests/config`)).json(),
    segment: (await app.ask(`GET ${admin}/segments/${segment}`)).json(),
  });
  const before = await read();
  expect(before.feature).toMatchObject({ name: 'kept', description: 'Kept' });
  expect((await app.ask(`DELETE ${admin}/projects/lost`)).statusCode).toBe(200);
  await app.ask(`DELETE ${admin}/user-admin/${gone.id}`);
  const id = await newest('project-deleted');
  const hidden = await owner.ask(`POST ${admin}/events/${id}/revert`, { payload: {} });
  expect(hidden.statusCode).toBe(404);
  const refused = await app.ask(`POST ${admin}/events/${id}/revert`, { payload: {} });
  expect([refused.statusCode, refused.json().conflicts]).toMatchObject([
    409,
    [{ name: `lost:${gone.id}`, reason: 'The account was deleted' }],
  ]);
  const reverted = await app.ask(`POST ${admin}/events/${id}/revert`, {
    payload: { conflicts: 'keepCurrent' },
  });
  expect([reverted.statusCode, reverted.body]).toEqual([200, expect.any(String)]);
  const after = await read();
  const settings = ({ name, description, defaultStickiness, mode }: typeof before.overview) => ({
    ...{ name, description, defaultStickiness, mode },
  });
  expect(settings(after.overview)).toEqual(settings(before.overview));
  expect([after.rules, after.segment.name]).toEqual([before.rules, 'of-lost']);
  expect(after.feature.environments).toEqual(before.feature.environments);
  expect((await owner.ask(`GET ${admin}/projects/lost/overview`)).statusCode).toBe(200);
  const access = (await app.ask(`GET ${admin}/projects/lost/access`)).json();
  const users = access.users.map((user: { id: number }) => user.id);
  expect([users.includes(owner.id), users.includes(gone.id)]).toEqual([true, false]);
});

const requestOf = async (type: string, project: string): Promise<number> =>
  (
    await app.ask(
      `GET ${admin}/search/events?limit=1&type=IS:${type}&project=IS:${project}` as const,
    )
  ).json().events[0].id;

test('reverting changes of access, roles, and settings requires the permission to change them', async () => {
  await create.project('coveted');
  const project = `${admin}/projects/coveted` as const;
  const set = async (id: number, ...roles: number[]) => {
    const path = `${project}/users/${id}/roles` as const;
    const { statusCode, body } = await app.ask(`PUT ${path}`, { payload: { roles } });
    expect(statusCode, body).toBe(200);
  };
  const keeper = await customRole(app, 'custom', [
    { name: 'PROJECT_USER_ACCESS_WRITE' },
    { name: 'PROJECT_USER_ACCESS_READ' },
  ]);
  const [former, granter, owner] = [
    await person(app, { rootRole: 2 }),
    await person(app, { roles: { coveted: keeper } }),
    await person(app),
  ];
  await set(owner.id, 4);
  await set(former.id, 4);
  await app.ask(`DELETE ${project}/users/${former.id}/roles`);
  const removal = await requestOf('project-access-user-roles-deleted', 'coveted');
  const accesses = () => app.ask(`GET ${project}/access`).then((response) => response.json().users);
  const before = await accesses();
  // A former owner, and a user who may grant only roles within their own permissions.
  for (const [by, permission] of [
    [former, 'UPDATE_PROJECT'],
    [granter, "To grant role 'Owner'"],
  ] as const) {
    for (const query of ['', '?propose=true']) {
      const refused = await revertAll(by.ask, { eventIds: [removal] }, query);
      expect([refused.statusCode, refused.body]).toEqual([
        403,
        expect.stringContaining(permission),
      ]);
    }
  }
  // A plan shows nothing about access to users who may not read it.
  const plan = await revertAll((await person(app)).ask, { eventIds: [removal] }, '?dryRun=true');
  expect([plan.statusCode, plan.json().changes, plan.json().notReverted]).toMatchObject([
    200,
    [],
    [{ reason: "You can't see who has access to the project 'coveted'" }],
  ]);
  expect(await accesses()).toEqual(before);

  await app.ask(`POST ${admin}/groups`, { payload: { name: 'coveted-group' } });
  await app.ask(`POST ${admin}/ui-config/cors`, { payload: { frontendApiOrigins: ['*'] } });
  await app.ask(`PUT ${admin}/user-admin/${owner.id}`, { payload: { rootRole: 2 } });
  for (const type of ['role-created', 'group-created', 'setting-created', 'user-updated']) {
    const hidden = type === 'role-created' ? keeper : 0;
    const id = await newest(type).catch(() => hidden);
    expect((await revertAll(former.ask, { eventIds: [id] }, '?dryRun=true')).statusCode).toBe(404);
  }
});

test('a revert that unprotects or removes an environment requires the permission for that', async () => {
  await create.project('walled');
  await create.environment('keep');
  const project = `${admin}/projects/walled` as const;
  const config = `${project}/environments/production/change-requests/config` as const;
  const protect = { changeRequestsEnabled: true, requiredApprovals: 1 };
  await app.ask(`PUT ${config}`, { payload: protect });
  await app.ask(`POST ${project}/environments`, {
    payload: { environment: 'keep', changeRequestsEnabled: true },
  });
  const approvals = await requestOf('change-request-configuration-updated', 'walled');
  const added = await requestOf('project-environment-added', 'walled');
  const member = await person(app, { roles: { walled: 5 } });
  for (const [eventIds, permission] of [
    [[approvals], 'PROJECT_CHANGE_REQUEST_WRITE'],
    [[added], 'UPDATE_PROJECT'],
  ] as const) {
    const refused = await revertAll(member.ask, { eventIds });
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining(permission)]);
    const drafted = await member.ask(
      `POST ${project}/environments/production/change-requests` as const,
      { payload: { action: 'revertEvents', payload: { eventIds } } },
    );
    expect([drafted.statusCode, drafted.body]).toEqual([
      400,
      expect.stringContaining('can only revert changes of features'),
    ]);
  }
  const settings = await customRole(app, 'custom', [{ name: 'UPDATE_PROJECT' }]);
  const manager = await person(app, { roles: { walled: settings } });
  const guarded = await revertAll(manager.ask, { eventIds: [added] });
  expect([guarded.statusCode, guarded.body]).toEqual([
    403,
    expect.stringContaining('SKIP_CHANGE_REQUEST'),
  ]);
  const settingsNow = (await app.ask(`GET ${project}/change-requests/config`)).json();
  const stillProtected = settingsNow
    .filter((each: { changeRequestEnabled: boolean }) => each.changeRequestEnabled)
    .map((each: { environment: string }) => each.environment);
  expect(stillProtected.sort()).toEqual(['keep', 'production']);
});

test('reverting the change of a project to private requires UPDATE_PROJECT', async () => {
  await create.project('closing');
  await app.ask(`PUT ${admin}/projects/closing`, { payload: { name: 'Closing', mode: 'private' } });
  const closed = await requestOf('project-updated', 'closing');
  const member = await person(app, { roles: { closing: 5 } });
  const refused = await revertAll(member.ask, { eventIds: [closed] });
  expect([refused.statusCode, refused.body]).toEqual([
    403,
    expect.stringContaining('UPDATE_PROJECT'),
  ]);
});
