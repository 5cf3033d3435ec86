import { expect, test } from 'vitest';
import { testActor, testApp } from '../../../../test/support/app.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { createSegment } from './index.ts';

test('the creator of a segment can be erased from all its events', async () => {
  const app = await testApp();
  const segments = '/api/admin/segments';
  const eve = { ...testActor, id: 77, name: 'eve@example.com' };
  // This increases the id of the next segment, so that it differs from the id of the first administrator.
  await app.ask(`POST ${segments}`, { payload: { name: 'first', constraints: [] } });
  const { id } = await app.transact(eve, (tx) =>
    createSegment(tx, { name: 'hers', constraints: [] }),
  );
  await app.ask(`PUT ${segments}/${id}`, { payload: { name: 'still hers', constraints: [] } });
  await app.ask(`DELETE ${segments}/${id}`);
  const listEvents = () =>
    app.db
      .selectFrom('events')
      .where('type', 'in', ['segment-created', 'segment-updated', 'segment-deleted'])
      .where('summary', 'like', '%hers%')
      .select(['label', 'summary', 'data', 'pre_data as preData', 'created_by as createdBy'])
      .orderBy('id')
      .execute();
  expect(await listEvents()).toMatchObject([
    {
      label: 'Segment created',
      summary: '**eve@example.com** created segment **hers**',
      data: { createdBy: 'eve@example.com' },
    },
    {
      label: 'Segment updated',
      summary: '**admin** updated segment **still hers**',
      data: { createdBy: 'eve@example.com' },
      preData: { createdBy: 'eve@example.com' },
    },
    {
      label: 'Segment deleted',
      summary: '**admin** deleted segment **still hers**',
      preData: { createdBy: 'eve@example.com' },
    },
  ]);

  // The id of a segment is not the id of a user.
  await expect(forgetEverywhere(app.transact, testActor, id)).rejects.toThrow();
  await forgetEverywhere(app.transact, testActor, eve.id);
  const after = await listEvents();
  expect(JSON.stringify(after)).not.toContain('eve@');
  expect(after).toMatchObject([{ data: { name: 'hers' } }, { data: { id } }, { preData: { id } }]);
});
