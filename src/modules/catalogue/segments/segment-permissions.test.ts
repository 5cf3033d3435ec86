import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { recordedBy } from '../../../../test/support/recorded.ts';

let app: TestApp;
let count = 0;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('shop');
  await make(app.ask).project('bank');
});

const segments = '/api/admin/segments';

const nextName = () => {
  count += 1;
  return `segment ${count}`;
};
const createIn = async (project: string | null): Promise<number> =>
  (await make(app.ask).segment(nextName(), { project })).id;

/** Permissions in all projects, and further ones in single projects. */
const whoMay = (everywhere: readonly string[], within: Readonly<Record<string, string>> = {}) =>
  limitedApp(app, {
    may: (permission, scope) =>
      permission === 'none' ||
      everywhere.includes(permission) ||
      // Without a project: whether the permission is held anywhere.
      (scope === undefined
        ? Object.values(within).includes(permission)
        : within[scope] === permission),
  });

type Asking = Pick<TestApp, 'ask'>;
const create = (app: Asking, project: string | null) =>
  app.ask(`POST ${segments}`, { payload: { name: nextName(), project, constraints: [] } });
const update = (app: Asking, id: number, more: object = {}) =>
  app.ask(`PUT ${segments}/${id}`, { payload: { name: nextName(), constraints: [], ...more } });
const remove = (app: Asking, id: number) => app.ask(`DELETE ${segments}/${id}`);

async function expectRefusal(
  answer: Promise<{ statusCode: number; json: () => unknown }>,
  needed: string,
) {
  const response = await answer;
  expect(response.statusCode).toBe(403);
  expect(response.json()).toMatchObject({
    name: 'NoAccessError',
    message: `You need the ${needed} permission to do this`,
  });
}

test('without permissions, segments can be read and names validated, and other requests name the missing permission', async () => {
  const viewer = await whoMay([]);
  const global = await createIn(null);
  const own = await createIn('shop');
  expect((await viewer.ask(`GET ${segments}/${own}`)).statusCode).toBe(200);
  const payload = { name: nextName() };
  expect((await viewer.ask(`POST ${segments}/validate`, { payload })).statusCode).toBe(204);

  await expectRefusal(create(viewer, null), 'CREATE_SEGMENT or UPDATE_PROJECT_SEGMENT');
  await expectRefusal(create(viewer, 'shop'), 'CREATE_SEGMENT or UPDATE_PROJECT_SEGMENT');
  await expectRefusal(update(viewer, global), 'UPDATE_SEGMENT or UPDATE_PROJECT_SEGMENT');
  await expectRefusal(update(viewer, own), 'UPDATE_SEGMENT or UPDATE_PROJECT_SEGMENT');
  await expectRefusal(remove(viewer, global), 'DELETE_SEGMENT or UPDATE_PROJECT_SEGMENT');
  await expectRefusal(remove(viewer, own), 'DELETE_SEGMENT or UPDATE_PROJECT_SEGMENT');
});

test('the root permissions for segments apply to global and project segments', async () => {
  const editor = await whoMay(['CREATE_SEGMENT', 'UPDATE_SEGMENT', 'DELETE_SEGMENT']);
  for (const project of [null, 'shop']) {
    const response = await create(editor, project);
    expect(response.statusCode).toBe(201);
    expect((await update(editor, response.json().id)).statusCode).toBe(204);
    expect((await remove(editor, response.json().id)).statusCode).toBe(204);
  }
});

test('UPDATE_PROJECT_SEGMENT applies only to segments of its project', async () => {
  const owner = await whoMay([], { shop: 'UPDATE_PROJECT_SEGMENT' });
  const response = await create(owner, 'shop');
  expect(response.statusCode).toBe(201);
  expect((await update(owner, response.json().id)).statusCode).toBe(204);
  expect((await remove(owner, response.json().id)).statusCode).toBe(204);

  await expectRefusal(create(owner, null), 'CREATE_SEGMENT');
  await expectRefusal(create(owner, 'bank'), 'CREATE_SEGMENT or UPDATE_PROJECT_SEGMENT');
  await expectRefusal(update(owner, await createIn(null)), 'UPDATE_SEGMENT');
  await expectRefusal(
    remove(owner, await createIn('bank')),
    'DELETE_SEGMENT or UPDATE_PROJECT_SEGMENT',
  );
});

test('moving a segment requires the permission in both projects', async () => {
  const shopkeeper = await whoMay([], { shop: 'UPDATE_PROJECT_SEGMENT' });
  const both = await whoMay([], {
    shop: 'UPDATE_PROJECT_SEGMENT',
    bank: 'UPDATE_PROJECT_SEGMENT',
  });
  const id = await createIn('shop');
  await expectRefusal(
    update(shopkeeper, id, { project: 'bank' }),
    'UPDATE_SEGMENT or UPDATE_PROJECT_SEGMENT',
  );
  await expectRefusal(update(shopkeeper, id, { project: null }), 'UPDATE_SEGMENT');
  expect((await update(both, id, { project: 'bank' })).statusCode).toBe(204);
  await expectRefusal(
    update(shopkeeper, id, { project: 'shop' }),
    'UPDATE_SEGMENT or UPDATE_PROJECT_SEGMENT',
  );
});

describe('segments of protected and private projects', () => {
  beforeAll(async () => {
    await make(app.ask).project('vault', { mode: 'protected' });
    await make(app.ask).project('secret', { mode: 'private' });
    for (const project of ['vault', 'secret', 'shop']) {
      await make(app.ask).feature(`of-${project}`, { project });
    }
  });

  const usedIn = (project: string, segments: readonly number[]) =>
    make(app.ask).strategy(`of-${project}`, { segments }, { project });

  test('cannot be created, changed or deleted by an editor without a role in the project', async () => {
    const editor = await person(app, { rootRole: 2 });
    const id = await createIn('vault');
    const before = (await app.ask(`GET ${segments}/${id}`)).json();
    for (const answer of [
      () => create(editor, 'vault'),
      () => update(editor, id),
      () => update(editor, id, { project: null }),
      () => remove(editor, id),
      async () => update(editor, await createIn('shop'), { project: 'vault' }),
    ]) {
      const response = await answer();
      expect(response.json()).toMatchObject({
        name: 'NoAccessError',
        message: "You need the UPDATE_PROJECT_SEGMENT permission in the project 'vault' to do this",
      });
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
    expect((await app.ask(`GET ${segments}/${id}`)).json()).toEqual(before);
  });

  test('can be created, changed and deleted by a member, whatever the root role', async () => {
    for (const rootRole of [2, 3]) {
      const member = await person(app, { rootRole, roles: { vault: 5 } });
      const response = await create(member, 'vault');
      expect(response.statusCode, response.body).toBe(201);
      expect((await update(member, response.json().id)).statusCode).toBe(204);
      expect((await remove(member, response.json().id)).statusCode).toBe(204);
    }
  });

  test('a global segment used in such projects can only be changed with permission in each of them', async () => {
    const id = await createIn(null);
    await usedIn('vault', [id]);
    await usedIn('secret', [id]);
    await usedIn('shop', [id]);
    const { name, constraints } = (await app.ask(`GET ${segments}/${id}`)).json();
    const change = async (ask: TestApp['ask'], more: object) =>
      ask(`PUT ${segments}/${id}`, { payload: { name, constraints, ...more } });
    const editor = await person(app, { rootRole: 2 });
    const refused = await change(editor.ask, { constraints: [] });
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      `The segment '${name}' is used in the project 'vault', projects that you cannot see. ` +
        'To change its constraints, you need the UPDATE_PROJECT_SEGMENT permission there',
    ]);
    const described = await change(editor.ask, { description: 'Our staff' });
    expect(described.statusCode, described.body).toBe(204);
    const member = await person(app, { rootRole: 2, roles: { vault: 5 } });
    expect((await change(member.ask, { constraints: [] })).statusCode).toBe(403);
    const both = await person(app, { rootRole: 2, roles: { vault: 5, secret: 5 } });
    expect((await change(both.ask, { constraints: [] })).statusCode).toBe(204);
  });

  test('a global segment used by a default strategy there needs the same permission', async () => {
    const id = await createIn(null);
    const place = '/api/admin/projects/vault/environments/production/default-strategy';
    const payload = { name: 'flexibleRollout', segments: [id] };
    expect((await app.ask(`POST ${place}`, { payload })).statusCode).toBe(200);
    const editor = await person(app, { rootRole: 2 });
    expect((await update(editor, id)).statusCode).toBe(403);
    await app.ask(`POST ${place}`, { payload: { ...payload, segments: [] } });
    expect((await update(editor, id)).statusCode).toBe(204);
  });
});
