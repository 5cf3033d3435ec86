import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { forgetEverywhere } from '../../src/installation.ts';
import { testActor, testApp } from '../support/app.ts';
import { limitedApp } from '../support/limited-app.ts';
import { make } from '../support/make.ts';

const eve = { id: 77, name: 'eve@example.com' };

test('an erased person is named in no table any more', async () => {
  const on = await testApp();
  const to = make((await limitedApp(on, eve)).ask);
  await to.segment('hers');
  await to.feature('hers', { tags: [{ type: 'simple', value: 'hers' }] });
  await to.strategy('hers');
  await to.project('hers');
  await to.environment('hers');

  const { rows: columns } = await sql<{ table: string; column: string }>`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.data_type in ('text', 'json', 'jsonb', 'ARRAY')`.execute(on.db);
  const naming = async () => {
    const found: string[] = [];
    for (const { table, column } of columns) {
      const { rows } = await sql`
        select from ${sql.table(table)}
        where strpos(${sql.ref(column)}::text, ${eve.name}) > 0 limit 1`.execute(on.db);
      if (rows.length > 0) found.push(`${table}.${column}`);
    }
    return found;
  };

  expect(await naming()).toContain('features.created_by');
  await on.transact(testActor, (tx) => forgetEverywhere(tx, eve.id));
  expect(await naming()).toEqual([]);
});
