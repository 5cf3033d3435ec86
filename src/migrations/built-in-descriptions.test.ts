import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { builtInTypes } from '../modules/catalogue/strategy-types/built-in.ts';
import { migrations } from './index.ts';

test('gives the built-in roles and strategy types of an older version their current texts', async () => {
  const { db } = await testDatabase();
  const outdated = JSON.stringify('outdated');
  await sql`
    update roles set description = 'outdated';
    insert into roles (name, description, type) values ('Own', 'outdated', 'custom')`.execute(db);
  await db.deleteFrom('strategy_types').execute();
  for (const type of builtInTypes) {
    const parameters = type.parameters.map((each) => ({ ...each, description: 'outdated' }));
    await sql`
      insert into strategy_types
        (name, title, description, parameters, built_in, deprecated, sort_order, created_at)
      values (${type.name}, ${type.title}, 'outdated', ${JSON.stringify(parameters)}::json, true,
        ${type.deprecated}, 1, now())`.execute(db);
  }
  await sql`
    update strategy_types set title = 'outdated' where name = 'gradualRolloutRandom';
    insert into strategy_types
      (name, title, description, parameters, built_in, deprecated, sort_order, created_at)
    values ('own', null, 'outdated', '[]', false, false, 1, now())`.execute(db);

  await migrations['0062-built-in-descriptions']?.up(db);

  const roles = await db.selectFrom('roles').select(['name', 'description']).execute();
  expect(Object.fromEntries(roles.map(({ name, description }) => [name, description]))).toEqual({
    Admin: 'Full access',
    Editor: 'Manage shared resources, create projects, and work in open projects',
    Viewer: 'Read-only access to everything except private projects',
    Owner: 'Full access to the project, including members',
    Member: "Create and manage the project's features",
    Own: 'outdated',
  });
  const types = await db
    .selectFrom('strategy_types')
    .select(['name', 'title', 'description', 'parameters'])
    .execute();
  const expected = builtInTypes.map(({ builtIn: _, deprecated: __, ...type }) => type);
  expect(types).toEqual(
    expect.arrayContaining([
      ...expected,
      { name: 'own', title: null, description: 'outdated', parameters: [] },
    ]),
  );
  expect(JSON.stringify(types.filter(({ name }) => name !== 'own'))).not.toContain(outdated);
});
