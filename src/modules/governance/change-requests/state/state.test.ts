import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { customRole, type Person, person } from '../../../../../test/support/people.ts';
import { firstCases, someCases } from '../../../../../test/support/random-cases.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import type { RequestState } from '../request-schema.ts';

let app: TestApp;
/** Projects whose production needs one and two approvals, and one that is not protected. */
let approver: number;
let applier: number;
beforeAll(async () => {
  app = await testApp();
  for (const [project, approvals] of [
    ['one', 1],
    ['two', 2],
    ['free', 0],
  ] as const) {
    await make(app.ask).project(project);
    await protect(project, approvals);
  }
  const only = (name: string) => [{ name, environment: 'production' }];
  approver = await customRole(app, 'custom', only('APPROVE_CHANGE_REQUEST'));
  applier = await customRole(app, 'custom', only('APPLY_CHANGE_REQUEST'));
});

const protect = (project: string, requiredApprovals: number) =>
  app.db
    .updateTable('project_environments')
    .set({
      change_requests_enabled: requiredApprovals > 0,
      required_approvals: requiredApprovals || null,
    })
    .where('project', '=', project)
    .where('environment', '=', 'production')
    .execute();

type Who = Pick<Person, 'ask'>;
let features = 0;

async function feature(project: string): Promise<string> {
  features += 1;
  const name = `governed-${features}`;
  await make(app.ask).feature(name, { project });
  return name;
}

interface Made {
  readonly id: number;
  readonly path: string;
  readonly feature: string;
}

async function draft(author: Who, project: string): Promise<Made> {
  const name = await feature(project);
  const response = await author.ask(
    `POST /api/admin/projects/${project}/environments/production/change-requests`,
    { payload: { feature: name, action: 'updateEnabled', payload: { enabled: true } } },
  );
  expect(response.statusCode, response.body).toBe(200);
  const { id } = response.json();
  return { id, path: `/api/admin/projects/${project}/change-requests/${id}`, feature: name };
}

const set = (who: Who, { path }: Made, state: RequestState, more: object = {}) =>
  who.ask(`PUT ${path}/state`, { payload: { state, ...more } });

async function become(who: Who, made: Made, state: RequestState, more: object = {}) {
  const response = await set(who, made, state, more);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString();

const isEnabled = async ({ feature: name, path }: Made) => {
  const project = path.split('/')[4];
  const { environments } = (
    await app.ask(`GET /api/admin/projects/${project}/features/${name}`)
  ).json();
  return environments.find((each: { name: string }) => each.name === 'production').enabled;
};

const callers = async (project: string) => ({
  author: await person(app),
  viewer: await person(app),
  member: await person(app, { roles: { [project]: 5 } }),
  approver: await person(app, { roles: { [project]: approver } }),
  applier: await person(app, { roles: { [project]: applier } }),
  robot: await person(app, { kind: 'service account', roles: { [project]: [approver, applier] } }),
  admin: await person(app, { rootRole: 1 }),
});
type Callers = Awaited<ReturnType<typeof callers>>;
type Caller = keyof Callers;

/** Brings a request of the author into a state. */
async function reach(state: RequestState, who: Callers, project: string): Promise<Made> {
  const made = await draft(who.author, project);
  if (state === 'Draft') return made;
  await become(who.author, made, 'In review');
  if (state === 'In review') return made;
  if (state === 'Cancelled') await become(who.author, made, 'Cancelled');
  else if (state === 'Rejected') await become(who.approver, made, 'Rejected');
  else {
    await become(who.approver, made, 'Approved');
    if (state === 'Scheduled') await become(who.applier, made, state, { scheduledAt: inAWeek() });
    if (state === 'Applied') await become(who.applier, made, state);
  }
  return made;
}

/** Who may take each step, and from which states, if one approval is needed. All else is refused. */
const allowed: Readonly<
  Record<RequestState, { readonly by: readonly Caller[]; readonly from: readonly RequestState[] }>
> = {
  Draft: { by: [], from: [] },
  'In review': { by: ['author'], from: ['Draft'] },
  Approved: { by: ['approver', 'admin'], from: ['In review', 'Approved', 'Scheduled'] },
  Rejected: { by: ['approver', 'admin'], from: ['In review', 'Approved', 'Scheduled'] },
  Cancelled: { by: ['author', 'admin'], from: ['In review', 'Approved', 'Scheduled'] },
  Scheduled: { by: ['applier', 'robot', 'admin'], from: ['Approved', 'Scheduled'] },
  Applied: { by: ['applier', 'robot', 'admin'], from: ['Approved', 'Scheduled'] },
};
const states = Object.keys(allowed) as RequestState[];
const steps = states.flatMap((from) => states.map((to) => ({ from, to })));
const isPossible = ({ from, to }: (typeof steps)[number]) => allowed[to].from.includes(from);

describe('each step is possible only from certain states and for certain callers', () => {
  let others: Callers;
  beforeAll(async () => {
    others = await callers('one');
  });

  test.each([
    ...steps.filter(isPossible),
    ...someCases(
      3,
      steps.filter((step) => !isPossible(step)),
    ),
  ])('$from → $to', async ({ from, to }) => {
    // The number of proposals of one account is limited.
    const who = { ...others, author: await person(app) };
    const { by, from: origins } = allowed[to];
    const mayTake = (caller: Caller) => by.includes(caller) && origins.includes(from);
    const all = Object.keys(who) as Caller[];
    let made = await reach(from, who, 'one');
    const read = async () => (await who.author.ask(`GET ${made.path}`)).json().state;
    for (const caller of someCases(
      2,
      all.filter((each) => !mayTake(each)),
    )) {
      const response = await set(who[caller], made, to, { scheduledAt: inAWeek() });
      const seen = `${caller}: ${response.statusCode} ${response.body}`;
      expect([400, 403, 404], seen).toContain(response.statusCode);
      expect(await recordedBy(app.db, response), seen).toEqual([]);
    }
    expect(await read()).toBe(from);
    expect(await isEnabled(made)).toBe(from === 'Applied');
    for (const [nth, caller] of firstCases(1, all.filter(mayTake)).entries()) {
      if (nth > 0) made = await reach(from, who, 'one');
      await become(who[caller], made, to, { scheduledAt: inAWeek() });
      expect(await read(), caller).toBe(to === 'Approved' && from === 'Scheduled' ? from : to);
      expect(await isEnabled(made), caller).toBe(to === 'Applied');
    }
  });
});

describe('an approval', () => {
  test('counts once per person; the last required one approves the request', async () => {
    const who = await callers('two');
    const second = await person(app, { roles: { two: approver } });
    const made = await draft(who.author, 'two');
    const { hash } = await become(who.author, made, 'In review', { comment: 'Please look' });
    const first = await set(who.approver, made, 'Approved');
    expect(first.json()).toMatchObject({
      state: 'In review',
      minApprovals: 2,
      approvals: [{ createdBy: { id: who.approver.id } }],
      comments: [{ text: 'Please look', createdBy: { id: who.author.id } }],
    });
    const data = { changeRequestId: made.id, hash };
    expect(await recordedBy(app.db, first)).toMatchObject([
      { type: 'change-request-approval-added', environment: 'production', data },
    ]);
    const again = await set(who.approver, made, 'Approved');
    expect(await recordedBy(app.db, again)).toEqual([]);
    expect(again.json().state).toBe('In review');
    const last = await set(second, made, 'Approved');
    expect(last.json().state).toBe('Approved');
    expect(await recordedBy(app.db, last)).toMatchObject([
      { type: 'change-request-approval-added', data },
      { type: 'change-request-approved', data },
    ]);
  });

  test('is void after any edit', async () => {
    const who = await callers('one');
    const made = await reach('Approved', who, 'one');
    const { features: changed, hash } = (await who.author.ask(`GET ${made.path}`)).json();
    const [change] = changed[0].changes;
    const edited = await who.author.ask(`PUT ${made.path}/changes/${change.id}`, {
      payload: {
        feature: made.feature,
        action: 'updateEnabled',
        payload: { enabled: true, shouldActivateDisabledStrategies: true },
      },
    });
    expect(edited.json()).toMatchObject({ state: 'In review', approvals: [] });
    expect(edited.json().hash).not.toBe(hash);
    expect((await set(who.applier, made, 'Applied')).statusCode).toBe(400);
    await become(who.approver, made, 'Approved');
    await become(who.applier, made, 'Applied');
  });

  test('does not count for changes that were edited in the database', async () => {
    const who = await callers('one');
    const made = await reach('Approved', who, 'one');
    await app.db
      .updateTable('change_request_changes')
      .set({ payload: JSON.stringify({ enabled: false }) })
      .where('request_id', '=', made.id)
      .execute();
    const response = await set(who.applier, made, 'Applied');
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
  });

  test.each([
    ['lost the role', 'delete from project_user_roles where user_id = '],
    ['was deleted', 'update users set deleted_at = now() where id = '],
    ['became a service account', "update users set kind = 'service account' where id = "],
  ])('does not count once its author %s', async (_what, statement) => {
    const who = await callers('one');
    const made = await reach('Approved', who, 'one');
    const { sql } = await import('kysely');
    const approvals = async () =>
      (await who.applier.ask(`GET /api/admin/projects/one/change-requests/${made.id}`)).json()
        .approvals;
    expect(await approvals()).toMatchObject([{ counts: true }]);
    await sql.raw(`${statement}${who.approver.id}`).execute(app.db);
    expect(await approvals()).toMatchObject([{ counts: false }]);
    const response = await set(who.applier, made, 'Applied');
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(await isEnabled(made)).toBe(false);
    await become(who.admin, made, 'Approved');
    await become(who.applier, made, 'Applied');
  });

  test('by the author counts only if they are an administrator', async () => {
    const admin = await person(app, { rootRole: 1 });
    const own = await person(app, { roles: { one: approver } });
    const refused = await draft(own, 'one');
    await become(own, refused, 'In review');
    expect((await set(own, refused, 'Approved')).statusCode).toBe(403);
    const made = await draft(admin, 'one');
    await become(admin, made, 'In review');
    expect((await become(admin, made, 'Approved')).state).toBe('Approved');
  });

  test('still counts when the required number changes later', async () => {
    const who = await callers('one');
    const made = await reach('Approved', who, 'one');
    await protect('one', 3);
    await become(who.applier, made, 'Applied');
    await protect('one', 1);
  });
});

describe('applying', () => {
  test('makes the changes in order and records their events with the id of the request', async () => {
    const who = await callers('one');
    const made = await draft(who.author, 'one');
    const strategy = { name: 'default', title: 'Everyone' };
    await who.author.ask('POST /api/admin/projects/one/environments/production/change-requests', {
      payload: { feature: made.feature, action: 'addStrategy', payload: strategy },
    });
    const { hash } = await become(who.author, made, 'In review');
    await become(who.approver, made, 'Approved');
    const response = await set(who.applier, made, 'Applied');
    expect(response.json()).toMatchObject({ state: 'Applied', conflicts: [] });
    const events = await recordedBy(app.db, response);
    expect(events.map(({ type }) => type)).toEqual([
      'feature-strategy-add',
      'feature-environment-enabled',
      'feature-strategy-add',
      'change-request-applied',
    ]);
    for (const { data } of events) expect(data).toMatchObject({ changeRequestId: made.id });
    expect(events.at(-1)?.data).toEqual({
      changeRequestId: made.id,
      hash,
      approvedBy: [who.approver.id],
    });
    expect(await isEnabled(made)).toBe(true);
  });

  test('changes nothing if one change conflicts, and returns the conflict', async () => {
    const who = await callers('one');
    const made = await draft(who.author, 'one');
    const other = await feature('one');
    const strategy = await make(app.ask).strategy(
      other,
      { name: 'default' },
      { project: 'one', environment: 'production' },
    );
    const propose = (payload: object) =>
      who.author.ask('POST /api/admin/projects/one/environments/production/change-requests', {
        payload,
      });
    await propose({ feature: other, action: 'deleteStrategy', payload: { id: strategy.id } });
    await become(who.author, made, 'In review');
    await become(who.approver, made, 'Approved');
    await app.ask(
      `PUT /api/admin/projects/one/features/${other}/environments/production/strategies/${strategy.id}`,
      { payload: { name: 'default', title: 'Changed' } },
    );
    const response = await set(who.applier, made, 'Applied');
    expect([response.statusCode, response.json().name]).toEqual([409, 'ConflictError']);
    expect(response.json().conflicts).toMatchObject([
      { feature: other, current: { title: 'Changed' }, resolutions: ['keep', 'drop'] },
    ]);
    expect(await isEnabled(made)).toBe(false);
    expect((await who.applier.ask(`GET ${made.path}`)).json().conflicts).toHaveLength(1);
  });

  test('a change of a global segment requires the permission to change segments', async () => {
    const who = await callers('one');
    const { id } = await make(app.ask).segment('everywhere');
    const proposal = await who.author.ask(
      'POST /api/admin/projects/one/environments/production/change-requests',
      {
        payload: {
          action: 'updateSegment',
          payload: {
            id,
            name: 'everywhere',
            constraints: [{ contextName: 'userId', operator: 'IN', values: ['2'] }],
          },
        },
      },
    );
    expect(proposal.json().segments).toMatchObject([
      { name: 'everywhere', action: 'updateSegment' },
    ]);
    const made = {
      id: proposal.json().id,
      path: `/api/admin/projects/one/change-requests/${proposal.json().id}`,
      feature: '',
    };
    await become(who.author, made, 'In review');
    await become(who.approver, made, 'Approved');
    expect((await set(who.applier, made, 'Applied')).statusCode).toBe(403);
    const editor = await person(app, { rootRole: 2, roles: { one: applier } });
    await become(editor, made, 'Applied');
  });

  test('without approvals requires the permission for each change and an unprotected environment', async () => {
    const [member, viewer] = [await person(app, { roles: { free: 5 } }), await person(app)];
    const refused = await draft(viewer, 'free');
    expect((await set(viewer, refused, 'Applied')).statusCode).toBe(403);
    const made = await draft(member, 'free');
    expect((await become(member, made, 'Applied')).state).toBe('Applied');
    expect(await isEnabled(made)).toBe(true);
    const later = await draft(member, 'free');
    await protect('free', 1);
    const response = await set(member, later, 'Applied');
    await protect('free', 0);
    expect(response.statusCode).toBe(403);
    expect(response.json().message).toContain('SKIP_CHANGE_REQUEST');
  });
});

describe('a change request', () => {
  test('has a title, comments, and reviewers who can approve it', async () => {
    const who = await callers('one');
    const made = await reach('In review', who, 'one');
    const title = await who.author.ask(`PUT ${made.path}/title`, { payload: { title: 'Launch' } });
    expect(title.statusCode).toBe(204);
    expect(await recordedBy(app.db, title)).toMatchObject([
      { type: 'change-edited', data: { title: 'Launch' }, preData: { title: null } },
    ]);
    const comment = (text: string) =>
      who.viewer.ask(`POST ${made.path}/comments`, { payload: { text } });
    expect((await comment('Hm')).statusCode).toBe(204);
    expect((await comment(' \n')).statusCode).toBe(400);
    const reviewers = (ids: number[], by: Who = who.author) =>
      by.ask(`PUT ${made.path}/approvers`, { payload: { reviewers: ids } });
    expect((await reviewers([who.approver.id])).statusCode).toBe(204);
    expect((await reviewers([who.viewer.id])).statusCode).toBe(400);
    expect((await reviewers([who.author.id])).statusCode).toBe(400);
    expect((await reviewers([], who.viewer)).statusCode).toBe(403);
    expect((await who.viewer.ask(`GET ${made.path}/approvers`)).json()).toMatchObject({
      reviewers: [{ id: who.approver.id, username: who.approver.name }],
    });
    const owner = await person(app, { roles: { one: 4 } });
    const available = await who.viewer.ask(
      'GET /api/admin/projects/one/change-requests/available-reviewers/production',
    );
    const ids = available.json().reviewers.map(({ id }: { id: number }) => id);
    expect(ids).toContain(who.approver.id);
    expect(ids).toContain(who.admin.id);
    expect(ids).toContain(owner.id);
    expect(ids).not.toContain(who.robot.id);
    expect(ids).not.toContain(who.member.id);
    const search = async (query: string) =>
      (await who.viewer.ask(`GET /api/admin/search/change-requests?${query}`)).json();
    const mine = await search(`createdBy=IS:${who.author.id}&state=IS:open`);
    expect(mine).toMatchObject({
      total: 1,
      changeRequests: [
        { id: made.id, title: 'Launch', project: 'one', features: [made.feature], segments: [] },
      ],
    });
    expect(await search(`requestedApproverId=IS:${who.approver.id}`)).toEqual(mine);
    expect(await search(`createdBy=IS:${who.author.id}&state=IS:closed`)).toMatchObject({
      total: 0,
    });
    const { state: current } = (await who.author.ask(`GET ${made.path}`)).json();
    const states = { [current]: 1, Applied: 0, Rejected: 0 };
    for (const [state, total] of Object.entries(states)) {
      const found = await search(`createdBy=IS:${who.author.id}&state=IS:${state}`);
      expect(found, state).toMatchObject({ total });
    }
    for (const query of [
      'createdBy=x',
      'state=open',
      'state=IS:Lost',
      'state=toString',
      'limit=0',
    ]) {
      const response = await who.viewer.ask(`GET /api/admin/search/change-requests?${query}`);
      expect(response.statusCode).toBe(400);
    }
  });

  test('is counted by state, and by what the caller can do', async () => {
    await make(app.ask).project('counted');
    await protect('counted', 1);
    const who = await callers('counted');
    const path = 'GET /api/admin/projects/counted/change-requests';
    for (const state of states) await reach(state, who, 'counted');
    expect((await who.viewer.ask(`${path}/count`)).json()).toEqual({
      total: 6,
      applied: 1,
      rejected: 1,
      reviewRequired: 1,
      approved: 1,
      scheduled: 1,
    });
    const actionable = async (by: Who) => (await by.ask(`${path}/actionable`)).json().total;
    expect(await actionable(who.viewer)).toBe(0);
    expect(await actionable(who.approver)).toBe(1);
    expect(await actionable(who.applier)).toBe(1);
    expect(await actionable(who.admin)).toBe(2);
    expect((await who.viewer.ask(path)).json()).toHaveLength(6);
  });

  test('returns when it entered each state, even a state that it left immediately', async () => {
    const author = await person(app, { roles: { free: 5 } });
    const made = await draft(author, 'free');
    const { stateTimestamps } = await become(author, made, 'In review');
    expect(Object.keys(stateTimestamps)).toEqual(['Draft', 'Approved', 'In review']);
  });

  test('is found by the feature whose variants it replaces while it is scheduled', async () => {
    const admin = await person(app, { rootRole: 1 });
    const name = await feature('free');
    const path = '/api/admin/projects/free';
    const payload = { variants: [{ name: 'blue', weight: 1000, weightType: 'variable' }] };
    const found = async () =>
      (await app.ask(`GET ${path}/change-requests/scheduled?variantForFlag=${name}`)).json();
    expect(await found()).toEqual([]);
    const { id } = (
      await admin.ask(`POST ${path}/environments/production/change-requests`, {
        payload: { feature: name, action: 'updateVariants', payload },
      })
    ).json();
    const made = { id, path: `${path}/change-requests/${id}`, feature: name };
    await become(admin, made, 'Scheduled', { scheduledAt: inAWeek() });
    expect(await found()).toMatchObject([{ id, environment: 'production' }]);
  });

  test('is canceled when its environment is removed from the project', async () => {
    await make(app.ask).project('shrinking');
    await protect('shrinking', 1);
    const who = await callers('shrinking');
    const made = await reach('In review', who, 'shrinking');
    const response = await app.ask('DELETE /api/admin/projects/shrinking/environments/production');
    expect(response.statusCode, response.body).toBe(200);
    expect((await who.author.ask(`GET ${made.path}`)).json().state).toBe('Cancelled');
  });
});
