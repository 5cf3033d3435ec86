import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { migrations } from './index.ts';

test('a migration gives built-in roles, strategy types and feature types their current texts', async () => {
  const { db } = await testDatabase();
  await sql`
    insert into roles (name, description, type) values ('Own', 'outdated', 'custom');
    insert into strategy_types
      (name, title, description, parameters, built_in, deprecated, sort_order, created_at)
    values ('own', null, 'outdated', '[]', false, false, 100, now())`.execute(db);
  const texts = async () => ({
    roles: await db.selectFrom('roles').select(['name', 'description']).orderBy('id').execute(),
    strategyTypes: await db
      .selectFrom('strategy_types')
      .select(['name', 'title', 'description', 'parameters'])
      .orderBy('sort_order')
      .execute(),
    featureTypes: await db
      .selectFrom('feature_types')
      .select(['id', 'description'])
      .orderBy('id')
      .execute(),
  });
  const current = await texts();
  expect(current.roles).toContainEqual({ name: 'Admin', description: 'Full access' });
  expect(current.roles).toContainEqual({ name: 'Own', description: 'outdated' });
  await sql`
    update roles set description = 'outdated';
    update feature_types set description = 'outdated';
    update strategy_types set description = 'outdated', parameters = (
      select coalesce(json_agg(each::jsonb || '{"description":"outdated"}'), '[]')
      from json_array_elements(parameters) each
    );
    update strategy_types set title = 'outdated' where name = 'gradualRolloutRandom'`.execute(db);
  expect(await texts()).not.toEqual(current);
  await migrations['0062-built-in-descriptions']?.up(db);
  expect(await texts()).toEqual(current);
});
