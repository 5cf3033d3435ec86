import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { group } from '../../../../test/support/groups.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, person } from '../../../../test/support/people.ts';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('the access overview lists the roles, projects and groups of each account, as JSON and CSV', async () => {
  const app = await testApp();
  await make(app.ask).project('shop');
  const own = await customRole(app, 'custom', []);
  const ada = await person(app, { rootRole: 2, roles: { shop: [5, own], default: 4 } });
  const machine = await person(app, { kind: 'service account' });
  const gone = await person(app, { roles: { shop: 5 } });
  await app.db
    .updateTable('users')
    .set({ name: '', email: 'ada@example.com' })
    .where('id', '=', ada.id)
    .execute();
  await app.db
    .insertInto('last_seen')
    .values({ kind: 'account', id: ada.id, seen_at: new Date('2026-01-02T03:04:05Z') })
    .execute();
  const first = await group(app, { users: [ada.id], roles: { shop: 5, default: 5 } });
  const second = await group(app, { users: [ada.id, gone.id], roles: { shop: 5 } });
  await app.db
    .updateTable('users')
    .set({ deleted_at: new Date() })
    .where('id', '=', gone.id)
    .execute();

  const response = await app.ask('GET /api/admin/access/overview');
  expect(response.statusCode).toBe(200);
  const { overview } = response.json();
  const entryOf = (id: number) => overview.find(({ userId }: { userId: number }) => userId === id);
  expect(entryOf(ada.id)).toEqual({
    userId: ada.id,
    userName: ada.name,
    userEmail: 'ada@example.com',
    accountType: 'User',
    rootRole: 'Editor',
    accessibleProjects: ['default', 'shop'],
    groups: [first.name, second.name],
    groupProjects: ['default', 'shop'],
    lastSeen: '2026-01-02T03:04:05.000Z',
    createdAt: expect.stringMatching(instant),
  });
  expect(entryOf(machine.id)).toEqual({
    userId: machine.id,
    userName: machine.name,
    userEmail: null,
    lastSeen: null,
    accountType: 'Service Account',
    rootRole: 'Viewer',
    accessibleProjects: [],
    groups: [],
    groupProjects: [],
    createdAt: expect.stringMatching(instant),
  });
  expect(entryOf(gone.id)).toBeUndefined();

  const table = await app.ask('GET /api/admin/access/overview', {
    headers: { accept: 'text/csv' },
  });
  expect(table.headers['content-type']).toContain('text/csv');
  const [head, ...lines] = table.body.trimEnd().split('\r\n');
  expect(head).toBe(
    'userId,userName,userEmail,accountType,rootRole,accessibleProjects,groups,groupProjects,lastSeen,createdAt',
  );
  expect(lines).toHaveLength(overview.length);
  expect(lines.find((line) => line.startsWith(`${ada.id},`))).toContain(
    `,ada@example.com,User,Editor,"default,shop",`,
  );
});
