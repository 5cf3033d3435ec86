import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { readPresentStates, type Subject } from '../../history/index.ts';

const app = await testApp();
const create = make(app.ask);
const admin = '/api/admin';

type Answer = ReturnType<TestApp['ask']>;

const ok = async (answer: Answer): Promise<LightMyRequestResponse> => {
  const response = await answer;
  expect(response.statusCode, response.body).toBeLessThan(300);
  return response;
};

const send = (request: Parameters<TestApp['ask']>[0], payload?: object) => () =>
  app.ask(request, payload ? { payload } : {});

const head = async (): Promise<number> =>
  (await app.ask(`GET ${admin}/search/events?limit=1`)).json().events[0].id;

const revert = (payload: object, { ask = app.ask, query = '' } = {}) =>
  ask(`POST ${admin}/events/revert${query}`, { payload });

const stateOf = (subjects: readonly Subject[]) => readPresentStates(app.db, subjects);

/** Makes a change, and returns its events as a selection. */
async function made(change: () => Answer) {
  const before = await head();
  await ok(change());
  return { from: `${before + 1}`, to: `${await head()}` };
}

/** Makes a change, reverts it, reverts the revert, and reverts that. */
async function there(subjects: readonly Subject[], what: string, change: () => Answer) {
  const before = await stateOf(subjects);
  const selection = await made(change);
  const changed = await stateOf(subjects);
  expect(changed, what).not.toEqual(before);
  const dry = (await ok(revert(selection, { query: '?dryRun=true' }))).json();
  expect(await stateOf(subjects), what).toEqual(changed);
  const done = (await ok(revert(selection))).json();
  expect([done.changes, done.notReverted], what).toEqual([dry.changes, dry.notReverted]);
  expect(await stateOf(subjects), what).toEqual(before);
  const again = (await ok(revert({ eventIds: done.eventIds }))).json();
  expect(await stateOf(subjects), what).toEqual(changed);
  await ok(revert({ eventIds: again.eventIds }));
  expect(await stateOf(subjects), what).toEqual(before);
}

const newGroup = async (name: string, users: readonly number[] = []): Promise<number> =>
  (
    await ok(
      app.ask(`POST ${admin}/groups`, {
        payload: { name, users: users.map((id) => ({ user: { id } })) },
      }),
    )
  ).json().id;

test('every change of who has access to a project is reverted, and its revert, too', async () => {
  await create.project('team');
  const [ada, bo] = [await person(app), await person(app)];
  const group = await newGroup('team-group');
  const project = `${admin}/projects/team` as const;
  const owner = await person(app);
  await ok(send(`PUT ${project}/users/${owner.id}/roles`, { roles: [4] })());
  const subjects: Subject[] = [
    { kind: 'project-user', key: 'team' },
    { kind: 'project-group', key: 'team' },
  ];
  const roles = (...list: number[]) => ({ roles: list });
  const grants = { roles: [5], groups: [group], users: [ada.id, bo.id] };
  const holdings = [{ id: 4, users: [ada.id], groups: [group] }];
  await there(subjects, 'added', send(`POST ${project}/access`, grants));
  await ok(send(`POST ${project}/access`, grants)());
  for (const [what, change] of Object.entries({
    'roles of a user': send(`PUT ${project}/users/${ada.id}/roles`, roles(4)),
    'roles of a group': send(`PUT ${project}/groups/${group}/roles`, roles(4, 5)),
    'a removed user': send(`DELETE ${project}/users/${bo.id}/roles`),
    'a removed group': send(`DELETE ${project}/groups/${group}/roles`),
    // Its owners change places: there is one at every moment.
    everything: send(`PUT ${project}/access`, { roles: holdings }),
    'a role': send(`POST ${project}/users/${bo.id}/roles/4`),
  })) {
    await there(subjects, what, change);
  }
});

test('a project keeps an owner, and an account that is gone does not come back', async () => {
  await create.project('kept');
  const [ada, bo] = [await person(app), await person(app)];
  const project = `${admin}/projects/kept` as const;
  const grant = (id: number, role: number) =>
    send(`PUT ${project}/users/${id}/roles`, { roles: [role] });
  const owned = await made(grant(ada.id, 4));
  const first = await app.db
    .selectFrom('project_user_roles')
    .where('project', '=', 'kept')
    .where('user_id', '<>', ada.id)
    .select('user_id')
    .execute();
  for (const { user_id: id } of first) await ok(send(`DELETE ${project}/users/${id}/roles`)());
  const refused = await revert(owned);
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    expect.stringContaining('needs at least one owner'),
  ]);
  await ok(grant(bo.id, 5)());
  const removed = await made(send(`DELETE ${project}/users/${bo.id}/roles`));
  await ok(send(`DELETE ${admin}/user-admin/${bo.id}`)());
  const gone = await revert(removed);
  expect([gone.statusCode, gone.json().conflicts]).toMatchObject([
    409,
    [{ type: 'project-user', now: [], reason: 'The account was deleted' }],
  ]);
});
