import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { readDefinitions } from './read.ts';

test('segments are read again when one of them changes, but not when a feature changes', async () => {
  const app = await testApp();
  const segments = '/api/admin/segments';
  const created = await app.ask(`POST ${segments}`, { payload: { name: 'many', constraints: [] } });
  const { id } = created.json<{ id: number }>();
  const first = await readDefinitions(app.db);
  const features = '/api/admin/projects/default/features';
  await app.ask(`POST ${features}`, { payload: { name: 'another' } });
  // Changed without an event, so that a second read would be noticed.
  await app.db.updateTable('segments').set({ name: 'unread' }).where('id', '=', id).execute();
  const second = await readDefinitions(app.db, first);
  expect(second.snapshot.revision).toBeGreaterThan(first.snapshot.revision);
  expect(second.snapshot.segments).toBe(first.snapshot.segments);

  await app.ask(`PUT ${segments}/${id}`, { payload: { name: 'renamed', constraints: [] } });
  const third = await readDefinitions(app.db, second);
  expect(third.snapshot.segments.get(id)?.name).toBe('renamed');
  await app.ask(`DELETE ${segments}/${id}`);
  expect((await readDefinitions(app.db, third)).snapshot.segments.has(id)).toBe(false);
});
