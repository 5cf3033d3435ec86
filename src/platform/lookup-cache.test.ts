import { expect, test, vi } from 'vitest';
import { createLookupCache } from './lookup-cache.ts';

const dayMs = 86_400_000;

test('a cached value is looked up again after a second, even without a notification', async () => {
  const { get } = createLookupCache<string>();
  const find = vi.fn(async () => 'found');
  const now = Date.UTC(2026, 0, 1);
  await get('key', now, find);
  await get('key', now + 999, find);
  expect(find).toHaveBeenCalledTimes(1);
  await get('key', now + 1000, find);
  expect(find).toHaveBeenCalledTimes(2);
});

test('a cached value is looked up again if the clock was set back', async () => {
  const { get } = createLookupCache<string>();
  const find = vi.fn(async () => 'found');
  const now = Date.UTC(2026, 0, 1);
  await get('key', now + 60 * dayMs, find);
  await get('key', now, find);
  expect(find).toHaveBeenCalledTimes(2);
  expect(await get('key', now + 500, find)).toBe('found');
  expect(find).toHaveBeenCalledTimes(2);
});
