import { beforeAll, describe, expect, test, vi } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { customRole, type Person, person } from '../../../../../test/support/people.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import type { RequestState } from '../request-schema.ts';

let app: TestApp;
let approver: number;
let applier: number;
beforeAll(async () => {
  app = await testApp();
  const only = (name: string) => [{ name, environment: 'production' }];
  approver = await customRole(app, 'custom', only('APPROVE_CHANGE_REQUEST'));
  applier = await customRole(app, 'custom', only('APPLY_CHANGE_REQUEST'));
});

type Who = Pick<Person, 'ask'>;

const setRules = async (project: string, rules: object, settings: object = {}) => {
  const response = await app.ask(
    `PUT /api/admin/projects/${project}/environments/production/change-requests/config`,
    { payload: { changeRequestsEnabled: true, ...settings, rules } },
  );
  expect(response.statusCode, response.body).toBe(204);
};

let projects = 0;
/** A project whose production is protected by these rules. */
async function guarded(rules: object, settings: object = {}): Promise<string> {
  projects += 1;
  const project = `ruled-${projects}`;
  await make(app.ask).project(project);
  await setRules(project, rules, settings);
  return project;
}

const listed = (approvers: object) => ({
  approvers: { users: [], groups: [], roles: [], ...approvers },
});

interface Made {
  readonly id: number;
  readonly path: string;
  readonly project: string;
  readonly feature: string;
}

let features = 0;
async function draft(author: Who, project: string): Promise<Made> {
  features += 1;
  const feature = `ruled-${features}`;
  await make(app.ask).feature(feature, { project });
  const response = await author.ask(
    `POST /api/admin/projects/${project}/environments/production/change-requests`,
    { payload: { feature, action: 'updateEnabled', payload: { enabled: true } } },
  );
  expect(response.statusCode, response.body).toBe(200);
  const { id } = response.json();
  return { id, path: `/api/admin/projects/${project}/change-requests/${id}`, project, feature };
}

const set = (who: Who, { path }: Pick<Made, 'path'>, state: RequestState, more: object = {}) =>
  who.ask(`PUT ${path}/state`, { payload: { state, ...more } });

async function become(who: Who, made: Made, state: RequestState, more: object = {}) {
  const response = await set(who, made, state, more);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

async function inReview(author: Who, project: string): Promise<Made> {
  const made = await draft(author, project);
  await become(author, made, 'In review');
  return made;
}

const read = async ({ path }: Made) => (await app.ask(`GET ${path}`)).json();

const isEnabled = async ({ feature, project }: Made) => {
  const { environments } = (
    await app.ask(`GET /api/admin/projects/${project}/features/${feature}`)
  ).json();
  return environments.find((each: { name: string }) => each.name === 'production').enabled;
};

async function group(users: readonly number[], rootRole?: number): Promise<number> {
  projects += 1;
  const response = await app.ask('POST /api/admin/groups', {
    payload: {
      name: `Reviewers ${projects}`,
      users: users.map((id) => ({ user: { id } })),
      ...(rootRole !== undefined && { rootRole }),
    },
  });
  expect(response.statusCode, response.body).toBe(201);
  return response.json().id;
}

describe('approvers', () => {
  test('are the listed users, group members and role holders who have the permission', async () => {
    const project = await guarded({});
    const roles = { [project]: approver };
    const [author, user, member, holder, other] = [
      await person(app),
      await person(app, { roles }),
      await person(app, { roles }),
      await person(app, { roles: { [project]: [approver, applier] } }),
      await person(app, { roles }),
    ];
    const [outsider, admin] = [await person(app), await person(app, { rootRole: 1 })];
    await setRules(
      project,
      listed({
        users: [user.id, outsider.id],
        groups: [await group([member.id])],
        roles: [applier],
      }),
    );
    for (const each of [user, member, holder]) {
      expect((await set(each, await inReview(author, project), 'Approved')).statusCode).toBe(200);
    }
    for (const each of [other, outsider, admin]) {
      const made = await inReview(author, project);
      for (const state of ['Approved', 'Rejected'] as const) {
        expect((await set(each, made, state)).statusCode).toBe(403);
      }
      const reviewers = { payload: { reviewers: [each.id] } };
      expect((await author.ask(`PUT ${made.path}/approvers`, reviewers)).statusCode).toBe(400);
    }
    const requests = `GET /api/admin/projects/${project}/change-requests` as const;
    const available = (await author.ask(`${requests}/available-reviewers/production`)).json();
    const ids = available.reviewers.map(({ id }: { id: number }) => id);
    expect(ids.sort()).toEqual([user.id, member.id, holder.id].sort());
    const actionable = async (who: Who) => (await who.ask(`${requests}/actionable`)).json().total;
    expect(await actionable(user)).toBe(3);
    expect(await actionable(other)).toBe(0);
    // Administrators apply what others have approved.
    expect(await actionable(admin)).toBe(3);
    await setRules(project, listed({ roles: [1] }));
    expect((await set(admin, await inReview(author, project), 'Approved')).statusCode).toBe(200);
  });

  test('lose their approval while they are not listed', async () => {
    const project = await guarded({});
    const [author, one, two] = [
      await person(app),
      await person(app, { roles: { [project]: approver } }),
      await person(app, { roles: { [project]: [approver, applier] } }),
    ];
    const reviewers = await group([one.id]);
    await setRules(project, listed({ groups: [reviewers] }));
    const made = await inReview(author, project);
    await become(one, made, 'Approved');
    await app.db.deleteFrom('group_users').where('group_id', '=', reviewers).execute();
    expect((await set(two, made, 'Applied')).json().message).toContain('has 0');
    await setRules(project, listed({ users: [one.id] }));
    expect((await become(two, made, 'Applied')).state).toBe('Applied');
    const later = await inReview(author, project);
    await become(one, later, 'Approved');
    await setRules(project, listed({ users: [two.id] }));
    expect((await set(two, later, 'Applied')).statusCode).toBe(403);
    await become(two, later, 'Approved');
    await become(two, later, 'Applied');
  });

  test('are not replaced if all are deleted: no one can approve until the list changes', async () => {
    const reviewers = await group([]);
    const role = await customRole(app, 'custom', []);
    const gone = await person(app);
    const project = await guarded(listed({ users: [gone.id], groups: [reviewers], roles: [role] }));
    await app.ask(`DELETE /api/admin/user-admin/${gone.id}`);
    await app.ask(`DELETE /api/admin/groups/${reviewers}`);
    await app.ask(`DELETE /api/admin/roles/${role}`);
    const admin = await person(app, { rootRole: 1 });
    const made = await inReview(await person(app), project);
    expect((await set(admin, made, 'Approved')).statusCode).toBe(403);
    const config = await app.ask(`GET /api/admin/projects/${project}/change-requests/config`);
    const { approvers } = config.json()[1].rules;
    expect(approvers).toEqual({ users: [gone.id], groups: [reviewers], roles: [role] });
    // Those who are left can still be changed.
    await setRules(project, { approvers: { ...approvers, users: [gone.id, admin.id] } });
    await become(admin, made, 'Approved');
  });
});

describe('self-approval', () => {
  test('can be forbidden for everyone or allowed for administrators', async () => {
    const project = await guarded({ selfApproval: 'nobody' });
    const [admin, other] = [await person(app, { rootRole: 1 }), await person(app, { rootRole: 1 })];
    const own = await inReview(admin, project);
    expect((await set(admin, own, 'Approved')).json().message).toContain('contributed');
    expect((await read(own)).contributors).toEqual([admin.id]);
    await become(other, own, 'Approved');
    await become(admin, own, 'Applied');
    const edited = await inReview(await person(app), project);
    await become(other, edited, 'Approved');
    const [change] = (await read(edited)).features[0].changes;
    const payload = {
      feature: edited.feature,
      action: 'updateEnabled',
      payload: { enabled: true, shouldActivateDisabledStrategies: true },
    };
    await other.ask(`PUT ${edited.path}/changes/${change.id}`, { payload });
    expect((await read(edited)).contributors).toContain(other.id);
    expect((await set(other, edited, 'Approved')).statusCode).toBe(403);
    await setRules(project, { selfApproval: 'admins' });
    await become(other, edited, 'Approved');
    // A stricter rule also applies to approvals that were given before.
    await setRules(project, { selfApproval: 'nobody' });
    expect((await set(admin, edited, 'Applied')).json().message).toContain('has 0');
    await become(admin, edited, 'Approved');
    await become(admin, edited, 'Applied');
  });
});

describe('the expiry of a request', () => {
  const sentDaysAgo = (made: Made, days: number) =>
    app.db
      .updateTable('change_requests')
      .set({
        state_times: JSON.stringify({
          'In review': new Date(Date.now() - days * 86_400_000).toISOString(),
        }),
      })
      .where('id', '=', made.id)
      .execute();

  test('prevents approving, scheduling, and applying it', async () => {
    const project = await guarded({ expiresAfterDays: 7 });
    const [author, admin] = [await person(app), await person(app, { rootRole: 1 })];
    expect((await read(await draft(admin, project))).expiresAt).toBeUndefined();
    const made = await inReview(author, project);
    const sentAt = Date.parse((await read(made)).stateTimestamps['In review']);
    expect(Date.parse((await read(made)).expiresAt) - sentAt).toBe(7 * 86_400_000);
    await become(admin, made, 'Approved');
    const at = (days: number) => ({
      scheduledAt: new Date(Date.now() + days * 86_400_000).toISOString(),
    });
    expect((await set(admin, made, 'Scheduled', at(8))).json().details).toMatchObject([
      { path: '/body/scheduledAt' },
    ]);
    await become(admin, made, 'Scheduled', at(6));
    await sentDaysAgo(made, 8);
    for (const state of ['Approved', 'Scheduled', 'Applied'] as const) {
      const response = await set(admin, made, state, at(1));
      expect([response.statusCode, response.json().message]).toEqual([
        403,
        'The change request has expired',
      ]);
    }
    await become(admin, made, 'Cancelled');
  });

  test('cancels it, even if it was sent to review before the rule existed', async () => {
    const project = await guarded({});
    await appOn(app, { jobs: 'on' });
    const author = await person(app);
    const [old, recent] = [await inReview(author, project), await inReview(author, project)];
    await sentDaysAgo(old, 3);
    expect((await read(old)).state).toBe('In review');
    await setRules(project, { expiresAfterDays: 2 });
    await vi.waitFor(async () => expect((await read(old)).state).toBe('Cancelled'), {
      timeout: 60_000,
    });
    expect((await read(recent)).state).toBe('In review');
    const { data, summary, createdBy } = await app.db
      .selectFrom('events')
      .where('type', '=', 'change-request-cancelled')
      .where('project', '=', project)
      .select(['data', 'summary', 'created_by as createdBy'])
      .executeTakeFirstOrThrow();
    expect(data).toEqual({ changeRequestId: old.id, reason: 'not applied within 2 days' });
    expect(summary).toContain('not applied within 2 days');
    expect(createdBy).toBe('burgee-system');
  });
});

describe('applying automatically', () => {
  test('happens with the last required approval', async () => {
    const project = await guarded({ applyAutomatically: true }, { requiredApprovals: 2 });
    const roles = { [project]: approver };
    const [one, two] = [await person(app, { roles }), await person(app, { roles })];
    const made = await inReview(await person(app), project);
    expect((await become(one, made, 'Approved')).state).toBe('In review');
    const response = await set(two, made, 'Approved', { comment: 'Go' });
    expect(response.json()).toMatchObject({ state: 'Applied', comments: [{ text: 'Go' }] });
    expect(await isEnabled(made)).toBe(true);
    const events = await recordedBy(app.db, response);
    expect(events.map(({ type }) => type)).toEqual([
      'change-request-approval-added',
      'change-request-approved',
      'feature-strategy-add',
      'feature-environment-enabled',
      'change-request-applied',
      'change-edited',
    ]);
    for (const { data } of events) expect(data).toMatchObject({ changeRequestId: made.id });
    expect(events[4]?.data).toMatchObject({ approvedBy: [one.id, two.id] });
  });

  test('keeps the approval and shows the reason if it fails', async () => {
    const project = await guarded({ applyAutomatically: true });
    const reviewer = await person(app, { roles: { [project]: approver } });
    const author = await person(app);
    const made = await draft(author, project);
    await author.ask(
      `POST /api/admin/projects/${project}/environments/production/change-requests`,
      {
        payload: {
          feature: made.feature,
          action: 'patchVariant',
          payload: {
            variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }],
          },
        },
      },
    );
    await become(author, made, 'In review');
    await make(app.ask).variants(
      made.feature,
      [{ name: 'b', weight: 1000, weightType: 'variable', stickiness: 'default' }],
      { project, environment: 'production' },
    );
    const response = await set(reviewer, made, 'Approved');
    expect(response.json()).toMatchObject({
      state: 'Approved',
      approvals: [{ createdBy: { id: reviewer.id } }],
      applyFailure: expect.stringContaining(made.feature),
    });
    expect((await recordedBy(app.db, response)).map(({ type }) => type)).toEqual([
      'change-request-approval-added',
      'change-request-approved',
    ]);
    expect(await isEnabled(made)).toBe(false);
    const [conflict] = (await read(made)).conflicts;
    const edited = await author.ask(`POST ${made.path}/changes/${conflict.changeId}/resolve`, {
      payload: { resolution: 'keep' },
    });
    expect(edited.json()).toMatchObject({ state: 'In review', approvals: [] });
    expect(edited.json()).not.toHaveProperty('applyFailure');
    expect((await become(reviewer, made, 'Approved')).state).toBe('Applied');
  });

  test('keeps the approval if the changes need the approval of another project', async () => {
    const project = await guarded({ applyAutomatically: true });
    const elsewhere = await guarded({});
    const { id } = await make(app.ask).segment('shared-by-projects');
    await make(app.ask).feature('elsewhere-used', { project: elsewhere });
    await make(app.ask).strategy(
      'elsewhere-used',
      { name: 'default', segments: [id] },
      { project: elsewhere, environment: 'production' },
    );
    const author = await person(app);
    const proposal = await author.ask(
      `POST /api/admin/projects/${project}/environments/production/change-requests`,
      {
        payload: {
          action: 'updateSegment',
          payload: {
            id,
            name: 'shared-by-projects',
            constraints: [{ contextName: 'userId', operator: 'IN', values: ['2'] }],
          },
        },
      },
    );
    const path = `/api/admin/projects/${project}/change-requests/${proposal.json().id}`;
    await set(author, { path }, 'In review');
    const editor = await person(app, { rootRole: 2, roles: { [project]: approver } });
    const response = await set(editor, { path }, 'Approved');
    expect(response.json()).toMatchObject({
      state: 'Approved',
      applyFailure: expect.stringContaining('SKIP_CHANGE_REQUEST'),
    });
    const { constraints } = (await app.ask(`GET /api/admin/segments/${id}`)).json();
    expect(constraints).not.toMatchObject([{ values: ['2'] }]);
  });
});

describe('applying in an emergency', () => {
  const emergency = { reason: 'Checkout is down' };
  const may = (...names: string[]) => names.map((name) => ({ name, environment: 'production' }));
  let skipper: number;
  let editor: number;
  beforeAll(async () => {
    skipper = await customRole(app, 'custom', may('SKIP_CHANGE_REQUEST'));
    editor = await customRole(app, 'custom', [
      ...may('UPDATE_FEATURE_ENVIRONMENT', 'CREATE_FEATURE_STRATEGY'),
    ]);
  });

  const states = ['Draft', 'In review', 'Approved', 'Scheduled', 'Rejected', 'Cancelled'] as const;

  test.each(states)(
    'from %s requires an open request and permission to skip approvals',
    async (from) => {
      const project = await guarded({});
      const who = {
        author: await person(app, { roles: { [project]: [skipper, editor] } }),
        skipper: await person(app, { roles: { [project]: [skipper, editor] } }),
        'skipper without the permission': await person(app, { roles: { [project]: skipper } }),
        approver: await person(app, { roles: { [project]: [approver, editor] } }),
        applier: await person(app, { roles: { [project]: [applier, editor] } }),
        robot: await person(app, {
          kind: 'service account',
          roles: { [project]: [skipper, editor] },
        }),
        admin: await person(app, { rootRole: 1 }),
      };
      const reach = async () => {
        const made = await draft(who.author, project);
        if (from === 'Draft') return made;
        await become(who.author, made, 'In review');
        if (from === 'In review') return made;
        const isApproved = from === 'Approved' || from === 'Scheduled';
        await become(who.admin, made, isApproved ? 'Approved' : from);
        const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
        if (from === 'Scheduled') await become(who.admin, made, 'Scheduled', { scheduledAt });
        return made;
      };
      let made = await reach();
      const isClosed = from === 'Rejected' || from === 'Cancelled';
      const skippers = from === 'Draft' ? ['author'] : ['author', 'skipper', 'admin'];
      const allowed = isClosed ? [] : skippers;
      for (const [caller, { ask }] of Object.entries(who)) {
        const isAllowed = allowed.includes(caller);
        const response = await set({ ask }, made, 'Applied', { emergency });
        const seen = `${caller}: ${response.statusCode} ${response.body}`;
        expect(response.statusCode === 200, seen).toBe(isAllowed);
        expect(await isEnabled(made), seen).toBe(isAllowed);
        if (!isAllowed) continue;
        expect(response.json()).toMatchObject({
          state: 'Applied',
          emergency: { ...emergency, createdBy: { id: who[caller as keyof typeof who].id } },
        });
        made = await reach();
      }
    },
  );

  test('is recorded with its reason and must be reviewed by someone else', async () => {
    const project = await guarded({});
    const [admin, other] = [await person(app, { rootRole: 1 }), await person(app, { rootRole: 1 })];
    const reviewer = await person(app, { roles: { [project]: approver } });
    const made = await inReview(reviewer, project);
    for (const reason of ['', ' ', 'x'.repeat(1001)]) {
      const refused = await set(admin, made, 'Applied', { emergency: { reason } });
      expect(refused.statusCode).toBe(400);
    }
    const applied = await set(admin, made, 'Applied', { emergency });
    const event = (await recordedBy(app.db, applied)).at(-1);
    expect(event).toMatchObject({
      type: 'change-request-applied',
      data: { changeRequestId: made.id, approvedBy: [], emergency },
    });
    const unreviewed = async (who: Who) => {
      const found = await who.ask('GET /api/admin/search/change-requests?emergency=IS:unreviewed');
      return found.json().changeRequests.filter(({ id }: { id: number }) => id === made.id);
    };
    expect(await unreviewed(reviewer)).toMatchObject([{ emergency }]);
    // It waits for those who can review it, not for the one who applied it or its author.
    const waits = async (who: Who) => {
      const { emergenciesToReview } = (await who.ask('GET /api/admin/attention')).json();
      const path = '/api/admin/search/change-requests?waitingFor=emergency-review';
      const { changeRequests, total } = (await who.ask(`GET ${path}`)).json();
      expect(total).toBe(emergenciesToReview);
      return changeRequests.some(({ id }: { id: number }) => id === made.id);
    };
    const colleague = await person(app, { roles: { [project]: approver } });
    for (const who of [other, colleague]) expect(await waits(who)).toBe(true);
    for (const who of [admin, reviewer]) expect(await waits(who)).toBe(false);
    const review = (who: Who, payload: object = {}) =>
      who.ask(`POST ${made.path}/emergency-review`, { payload });
    const viewer = await person(app);
    const setMode = (mode: string) =>
      app.ask(`PUT /api/admin/projects/${project}`, { payload: { name: project, mode } });
    // The one who applied it, its author, and those who could not have approved it.
    for (const who of [admin, reviewer, viewer]) {
      expect((await review(who)).statusCode).toBe(403);
    }
    await setMode('private');
    expect(await unreviewed(viewer)).toEqual([]);
    expect(await waits(viewer)).toBe(false);
    expect((await review(viewer)).statusCode).toBe(404);
    await setMode('open');
    const reviewed = await review(other, { comment: 'Understood' });
    expect(reviewed.statusCode, reviewed.body).toBe(204);
    expect(await recordedBy(app.db, reviewed)).toMatchObject([
      { type: 'change-edited', data: { changeRequestId: made.id, reviewed: true } },
      { type: 'change-edited', data: { changeRequestId: made.id } },
    ]);
    expect(await read(made)).toMatchObject({
      emergency: { ...emergency, reviewedBy: { id: other.id } },
      comments: [{ text: 'Understood' }],
    });
    expect(await unreviewed(reviewer)).toEqual([]);
    expect(await waits(colleague)).toBe(false);
    expect(await recordedBy(app.db, await review(other))).toEqual([]);
  });

  test('is rejected if the rules or the state do not allow it', async () => {
    const project = await guarded({ emergencyApply: false });
    const admin = await person(app, { rootRole: 1 });
    const made = await inReview(admin, project);
    expect((await set(admin, made, 'Applied', { emergency })).json().message).toContain('rules');
    await setRules(project, { emergencyApply: true }, { requiredApprovals: 2 });
    await become(admin, made, 'Applied', { emergency });
    expect((await set(admin, made, 'Applied', { emergency })).statusCode).toBe(400);
    const unprotected = await draft(admin, 'default');
    const refused = await set(admin, unprotected, 'Applied', { emergency });
    expect(refused.json().message).toContain('needs no approval');
    const normal = `/api/admin/projects/default/change-requests/${unprotected.id}`;
    await become(admin, unprotected, 'Applied');
    const review = await admin.ask(`POST ${normal}/emergency-review`, { payload: {} });
    expect(review.statusCode).toBe(403);
  });
});
