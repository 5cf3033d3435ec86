import { expect, test } from 'vitest';
import { type BulkChange, inverseOf, resultOf, wishOf } from './bulk-wording.ts';

test.each<[BulkChange, BulkChange | undefined]>([
  [
    { action: 'enable', environment: 'production' },
    { action: 'disable', environment: 'production' },
  ],
  [{ action: 'archive' }, { action: 'revive' }],
  [{ action: 'mark-stale' }, { action: 'mark-active' }],
  [
    { action: 'tag', addedTags: [{ type: 'simple', value: 'new' }] },
    { action: 'tag', removedTags: [{ type: 'simple', value: 'new' }] },
  ],
  [{ action: 'delete' }, undefined],
  [{ action: 'move', newProjectId: 'shop' }, undefined],
])('%j is undone by %j', (change, inverse) => {
  expect(inverseOf(change)).toEqual(inverse);
});

test('the button and the notification describe the change', () => {
  const change: BulkChange = { action: 'enable', environment: 'production' };
  expect(wishOf(change, 1)).toBe('Enable 1 feature in production');
  expect(resultOf(change, 2)).toBe('2 features enabled in production');
});
