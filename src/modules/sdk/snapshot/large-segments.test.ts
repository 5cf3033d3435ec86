import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { readDefinitions } from './read.ts';

test('segments are read again when one of them changed, and not with every change of a feature', async () => {
  const on = await testApp();
  const segments = '/api/admin/segments';
  const created = await on.ask(`POST ${segments}`, { payload: { name: 'many', constraints: [] } });
  const { id } = created.json<{ id: number }>();
  const first = await readDefinitions(on.db);
  const features = '/api/admin/projects/default/features';
  await on.ask(`POST ${features}`, { payload: { name: 'another' } });
  // Changed past the log: whoever reads it finds it.
  await on.db.updateTable('segments').set({ name: 'unread' }).where('id', '=', id).execute();
  const second = await readDefinitions(on.db, first);
  expect(second.snapshot.revision).toBeGreaterThan(first.snapshot.revision);
  expect(second.snapshot.segments).toBe(first.snapshot.segments);

  await on.ask(`PUT ${segments}/${id}`, { payload: { name: 'renamed', constraints: [] } });
  const third = await readDefinitions(on.db, second);
  expect(third.snapshot.segments.get(id)?.name).toBe('renamed');
  await on.ask(`DELETE ${segments}/${id}`);
  expect((await readDefinitions(on.db, third)).snapshot.segments.has(id)).toBe(false);
});
