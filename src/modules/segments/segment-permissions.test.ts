import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/app.ts';
import { limitedApp } from '../../../test/support/limited-app.ts';
import { make } from '../../../test/support/make.ts';

let on: TestApp;
let made = 0;
beforeAll(async () => {
  on = await testApp();
  await make(on.ask).project('shop');
  await make(on.ask).project('bank');
});

const segments = '/api/admin/segments';

const nextName = () => {
  made += 1;
  return `segment ${made}`;
};
const createIn = async (project: string | null): Promise<number> =>
  (await make(on.ask).segment(nextName(), { project })).id;

/** Who has some permissions everywhere, and others in single projects. */
const whoMay = (everywhere: readonly string[], within: Readonly<Record<string, string>> = {}) =>
  limitedApp(on, {
    may: (permission, scope) =>
      permission === 'none' ||
      everywhere.includes(permission) ||
      (scope !== undefined && within[scope] === permission),
  });

const create = (app: TestApp, project: string | null) =>
  app.ask(`POST ${segments}`, { payload: { name: nextName(), project, constraints: [] } });
const update = (app: TestApp, id: number, more: object = {}) =>
  app.ask(`PUT ${segments}/${id}`, { payload: { name: nextName(), constraints: [], ...more } });
const remove = (app: TestApp, id: number) => app.ask(`DELETE ${segments}/${id}`);

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

test('whoever lacks the permissions reads and validates names, and is told what writing needs', async () => {
  const viewer = await whoMay([]);
  const global = await createIn(null);
  const own = await createIn('shop');
  expect((await viewer.ask(`GET ${segments}/${own}`)).statusCode).toBe(200);
  const payload = { name: nextName() };
  expect((await viewer.ask(`POST ${segments}/validate`, { payload })).statusCode).toBe(204);

  await expectRefusal(create(viewer, null), 'CREATE_SEGMENT');
  await expectRefusal(create(viewer, 'shop'), 'CREATE_SEGMENT or UPDATE_PROJECT_SEGMENT');
  await expectRefusal(update(viewer, global), 'UPDATE_SEGMENT');
  await expectRefusal(update(viewer, own), 'UPDATE_SEGMENT or UPDATE_PROJECT_SEGMENT');
  await expectRefusal(remove(viewer, global), 'DELETE_SEGMENT');
  await expectRefusal(remove(viewer, own), 'DELETE_SEGMENT or UPDATE_PROJECT_SEGMENT');
});

test('a permission for segments everywhere is enough everywhere', async () => {
  const editor = await whoMay(['CREATE_SEGMENT', 'UPDATE_SEGMENT', 'DELETE_SEGMENT']);
  for (const project of [null, 'shop']) {
    const response = await create(editor, project);
    expect(response.statusCode).toBe(201);
    expect((await update(editor, response.json().id)).statusCode).toBe(204);
    expect((await remove(editor, response.json().id)).statusCode).toBe(204);
  }
});

test('UPDATE_PROJECT_SEGMENT is enough in its project, and nowhere else', async () => {
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

test('moving a segment takes the permission where it comes from and where it goes', async () => {
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
