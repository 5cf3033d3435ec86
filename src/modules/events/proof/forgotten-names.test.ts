import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testActor, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { hashSecret } from '../../../platform/secret.ts';

const names = ['eve@example.com', 'Eve Earnest'];
const soon = new Date(Date.now() + 86_400_000).toISOString();

test('no table contains the name of an erased user', async () => {
  const app = await testApp();
  const admin = '/api/admin';
  const { id } = (
    await app.ask(`POST ${admin}/user-admin`, {
      payload: { email: names[0], name: names[1], rootRole: 1 },
    })
  ).json();
  await app.db
    .insertInto('personal_tokens')
    .values({
      user_id: id,
      description: 'test',
      secret_hash: hashSecret('user:eve'),
      created_at: new Date(),
      expires_at: null,
    })
    .execute();
  const ask: typeof app.ask = (request, options) =>
    app.ask(request, { ...options, headers: { authorization: 'user:eve' } });
  const create = make(ask);
  await create.segment('hers');
  await create.feature('hers', { tags: [{ type: 'simple', value: 'hers' }] });
  await create.strategy('hers');
  await create.project('hers');
  await create.environment('hers');
  const others: [Parameters<typeof app.ask>[0], object][] = [
    [`POST ${admin}/groups`, { name: 'hers', users: [{ user: { id } }] }],
    [`POST ${admin}/roles`, { name: 'hers', type: 'custom', permissions: [] }],
    [`POST ${admin}/invite-link/tokens`, { name: 'hers', expiresAt: soon }],
    [`POST ${admin}/api-tokens`, { tokenName: 'hers', type: 'client', projects: ['hers'] }],
    [`POST ${admin}/service-account`, { username: 'hers', name: 'hers', rootRole: 3 }],
    [`POST ${admin}/user/tokens`, { description: 'hers', expiresAt: soon }],
    [`POST ${admin}/projects/hers/favorites`, {}],
    [`PUT ${admin}/user-admin/${id}`, { name: `${names[1]} the First` }],
    [`PUT ${admin}/projects/hers/users/${id}/roles`, { roles: [4, 5] }],
    // The only owner of a project cannot be erased.
    [`PUT ${admin}/projects/hers/users/1/roles`, { roles: [4] }],
  ];
  for (const [line, payload] of others) {
    const response = await ask(line, { payload });
    expect(response.statusCode, `${line}: ${response.body}`).toBeLessThan(300);
  }

  const { rows: columns } = await sql<{ table: string; column: string }>`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.data_type in ('text', 'json', 'jsonb', 'ARRAY')`.execute(app.db);
  const naming = async () => {
    const found: string[] = [];
    for (const { table, column } of columns) {
      const { rows } = await sql`
        select from ${sql.table(table)}
        where strpos(${sql.ref(column)}::text, ${names[0]}) > 0
          or strpos(${sql.ref(column)}::text, ${names[1]}) > 0 limit 1`.execute(app.db);
      if (rows.length > 0) found.push(`${table}.${column}`);
    }
    return found;
  };

  expect(await naming()).toEqual(
    expect.arrayContaining([
      'features.created_by',
      'users.email',
      'groups.created_by',
      'events.data',
    ]),
  );
  await forgetEverywhere(app.transact, testActor, id);
  expect(await naming()).toEqual([]);
});
