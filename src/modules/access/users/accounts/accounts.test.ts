import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { askedDuring } from '../../../../../test/support/locks.ts';
import { customRole, person } from '../../../../../test/support/people.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import {
  changeAccount,
  createAccount,
  createPerson,
  findPersonByExternalSubject,
  findPersonForSignIn,
  getPerson,
  removeAccount,
  setExternalSubject,
} from '../index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const act = <Result>(work: (tx: Tx) => Promise<Result>) => app.transact(testActor, work);

const lastEvent = () =>
  app.db
    .selectFrom('events')
    .select(['type', 'data', 'pre_data as preData', 'summary'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();

describe('a user with an external account', () => {
  test('is found by the external subject, and the provider is recorded', async () => {
    const input = {
      email: 'sso@example.com',
      rootRole: 3,
      externalSubject: 'https://id.example|7',
    };
    const { id } = await act((tx) => createPerson(tx, input, { source: 'OIDC' }));
    expect(await findPersonByExternalSubject(app.db, 'https://id.example|7')).toMatchObject({ id });
    expect(await findPersonByExternalSubject(app.db, 'https://id.example|8')).toBeUndefined();
    expect(await lastEvent()).toMatchObject({
      type: 'user-created',
      data: { id, email: 'sso@example.com', source: 'OIDC' },
      summary: '**sso@example.com** joined',
    });
  });

  test('has an external subject that no other user can have', async () => {
    const { id } = await person(app);
    const other = await person(app);
    const before = await countEvents(app.db);
    await act((tx) => setExternalSubject(tx, id, 'issuer|1'));
    expect(await lastEvent()).toMatchObject({
      type: 'user-updated',
      data: { id, externalSubject: 'issuer|1' },
      preData: { id, externalSubject: null },
    });
    await act((tx) => setExternalSubject(tx, id, 'issuer|1'));
    const taken = act((tx) => setExternalSubject(tx, other.id, 'issuer|1'));
    await expect(taken).rejects.toMatchObject({ status: 409, name: 'NameExistsError' });
    await act((tx) => setExternalSubject(tx, id, null));
    await act((tx) => setExternalSubject(tx, other.id, 'issuer|1'));
    expect(await countEvents(app.db)).toBe(before + 3);
  });

  test('is rejected with an invalid email, a weak password or neither username nor email', async () => {
    for (const input of [
      { rootRole: 3 },
      { rootRole: 3, name: 'Only a name' },
      { rootRole: 3, email: 'ada@example.com\r\nBcc: eve@example.com' },
      { rootRole: 3, username: 'ada', password: 'short' },
    ]) {
      await expect(act((tx) => createPerson(tx, input))).rejects.toMatchObject({ status: 400 });
    }
    expect(await findPersonForSignIn(app.db, 'ada')).toBeUndefined();
  });

  test('is found by username regardless of case and Unicode normalization', async () => {
    const { id } = await act((tx) => createPerson(tx, { username: 'Zo\u00eb', rootRole: 3 }));
    for (const spelling of ['zo\u00eb', 'ZO\u00cb', 'Zoe\u0308']) {
      expect(await findPersonForSignIn(app.db, spelling)).toMatchObject({ id });
    }
  });
});

describe('a service account', () => {
  test('is created, changed and removed without user events, and cannot sign in', async () => {
    const before = await countEvents(app.db);
    const kind = 'service account';
    const { id } = await act((tx) =>
      createAccount(tx, { kind, name: 'Robot', username: 'robot', rootRole: 2 }),
    );
    expect(await findPersonForSignIn(app.db, 'robot')).toBeUndefined();
    await expect(getPerson(app.db, id)).rejects.toMatchObject({ status: 404 });
    const { before: was, after } = await act((tx) =>
      changeAccount(tx, { id, kind }, { name: 'Android', rootRole: 3 }),
    );
    expect([was, after]).toMatchObject([
      { name: 'Robot', rootRole: 2 },
      { name: 'Android', username: 'robot', rootRole: 3 },
    ]);
    await expect(
      act((tx) => changeAccount(tx, { id, kind: 'person' }, { name: 'Human' })),
    ).rejects.toMatchObject({ status: 404 });
    expect(await act((tx) => removeAccount(tx, { id, kind }))).toMatchObject({ name: 'Android' });
    await expect(act((tx) => removeAccount(tx, { id, kind }))).rejects.toMatchObject({
      message: `Service account '${id}' not found`,
    });
    expect(await countEvents(app.db)).toBe(before);
  });
});

test('creating a user returns 400 if the root role is deleted concurrently', async () => {
  const role = await customRole(app, 'root-custom', [{ name: 'CREATE_PROJECT' }]);
  const { waited, response } = await askedDuring(
    app,
    (tx) => tx.db.deleteFrom('roles').where('id', '=', role).execute(),
    () =>
      app.ask('POST /api/admin/user-admin', { payload: { username: 'roleless', rootRole: role } }),
  );
  expect([waited, response.statusCode]).toEqual([true, 400]);
  expect(response.json().details).toMatchObject([{ path: '/body/rootRole' }]);
});
