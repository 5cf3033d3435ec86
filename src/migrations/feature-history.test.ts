import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { applyToHistory } from '../../test/support/history.ts';
import { make } from '../../test/support/make.ts';
import { migrations } from './index.ts';

test('a migration computes for stored states since which event evaluations are the same', async () => {
  const app = await testApp();
  const create = make(app.ask);
  const features = '/api/admin/projects/default/features' as const;
  const child = `${features}/child` as const;
  const ok = async (...request: Parameters<typeof app.ask>) => {
    const response = await app.ask(...request);
    expect(response.statusCode, response.body).toBeLessThan(300);
  };
  const describeChild = (description: string) => ok(`PUT ${child}`, { payload: { description } });
  await create.feature('parent');
  await create.feature('child');
  await describeChild('One');
  await applyToHistory(app);
  await describeChild('Two');
  await ok(`POST ${child}/dependencies`, { payload: { feature: 'parent' } });
  await describeChild('Three');
  await ok(`DELETE ${child}/dependencies`);
  await applyToHistory(app);
  await describeChild('Four');
  await ok(`DELETE ${child}`);
  await ok('DELETE /api/admin/archive/child');
  await create.feature('child');
  await describeChild('Five');
  await applyToHistory(app);

  const states = async () => {
    const { rows } = await sql<{ description: string; event: string }>`
      select states.state ->> 'description' as description, e.type as event, evaluated_from_id
      from history_states states
      join events e on e.id = coalesce(states.evaluated_from_id, states.from_id)
      where states.kind = 'feature' and states.key = 'child' order by states.from_id`.execute(
      app.db,
    );
    return rows;
  };
  const written = await states();
  expect(written.map(({ event }) => event)).toEqual([
    ...['feature-created', 'feature-created', 'feature-created'],
    ...['feature-dependency-added', 'feature-dependency-added'],
    ...['feature-dependencies-removed', 'feature-dependencies-removed'],
    ...['feature-archived', 'feature-created', 'feature-created'],
  ]);
  await sql`
    drop index history_states_feature_span_idx;
    alter table history_states drop column evaluated_from_id`.execute(app.db);
  await migrations['0091-feature-history']?.up(app.db);
  expect(await states()).toEqual(written);
});
