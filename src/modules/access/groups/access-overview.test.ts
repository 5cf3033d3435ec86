import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { group } from '../../../../test/support/groups.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, person } from '../../../../test/support/people.ts';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('the overview tells of each account what it was given, and through which groups', async () => {
  const on = await testApp();
  await make(on.ask).project('shop');
  const own = await customRole(on, 'custom', []);
  const ada = await person(on, { rootRole: 2, roles: { shop: [5, own], default: 4 } });
  const machine = await person(on, { kind: 'service account' });
  const gone = await person(on, { roles: { shop: 5 } });
  await on.db
    .updateTable('users')
    .set({ name: '', email: 'ada@example.com' })
    .where('id', '=', ada.id)
    .execute();
  await on.db
    .insertInto('last_seen')
    .values({ kind: 'account', id: ada.id, seen_at: new Date('2026-01-02T03:04:05Z') })
    .execute();
  const first = await group(on, { users: [ada.id], roles: { shop: 5, default: 5 } });
  const second = await group(on, { users: [ada.id, gone.id], roles: { shop: 5 } });
  await on.db
    .updateTable('users')
    .set({ deleted_at: new Date() })
    .where('id', '=', gone.id)
    .execute();

  const response = await on.ask('GET /api/admin/access/overview');
  expect(response.statusCode).toBe(200);
  const { overview } = response.json();
  const of = (id: number) => overview.find(({ userId }: { userId: number }) => userId === id);
  expect(of(ada.id)).toEqual({
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
  expect(of(machine.id)).toEqual({
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
  expect(of(gone.id)).toBeUndefined();

  const table = await on.ask('GET /api/admin/access/overview', {
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
