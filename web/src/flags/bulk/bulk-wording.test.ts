import { expect, test } from 'vitest';
import {
  actionText,
  type BulkChange,
  inverseOf,
  outcomeSummary,
  resultOf,
} from './bulk-wording.ts';

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

test('the button and the notification describe the bulk change', () => {
  const change: BulkChange = { action: 'enable', environment: 'production' };
  expect(actionText(change, 1, undefined)).toBe('Enable 1 feature in production');
  expect(resultOf(change, 2, undefined)).toBe('2 features enabled in production');
});

test('the button and the notification of a move name the project, not its ID', () => {
  const change: BulkChange = { action: 'move', newProjectId: 'shop' };
  expect(actionText(change, 2, 'Web shop')).toBe('Move 2 features to Web shop');
  expect(resultOf(change, 1, 'Web shop')).toBe('1 feature moved to Web shop');
});

test.each<[BulkChange, [number, number, number, number?], boolean, string]>([
  [
    { action: 'disable', environment: 'production' },
    [12, 3, 2],
    false,
    "12 will be disabled · 3 already disabled · 2 can't be changed",
  ],
  [{ action: 'archive' }, [2, 0, 1], true, "2 archived · 1 can't be changed"],
  [{ action: 'move', newProjectId: 'shop' }, [0, 1, 0], false, '1 already in Web shop'],
  [{ action: 'tag' }, [0, 4, 0], false, '4 already up to date'],
  [{ action: 'archive' }, [1, 0, 0, 2], false, '1 will be archived · 2 will be proposed'],
  [{ action: 'archive' }, [0, 0, 0, 2], true, '2 proposed'],
])('the summary of %j counts every group', (change, counts, isDone, text) => {
  const [changed, unchanged, refused, proposed = 0] = counts;
  expect(
    outcomeSummary(change, { changed, unchanged, refused, proposed }, isDone, 'Web shop'),
  ).toBe(text);
});
