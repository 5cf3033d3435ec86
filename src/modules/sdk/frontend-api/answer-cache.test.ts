import { describe, expect, test } from 'vitest';
import { createAnswerCache } from './answer-cache.ts';

describe('the response cache', () => {
  /** Counts how many of these are cached. Asking for a missing one caches it. */
  function knownOf(cache: ReturnType<typeof createAnswerCache>, names: readonly string[]): number {
    let known = 0;
    for (const name of names) {
      let made = false;
      cache.getBody(name, () => {
        made = true;
        return Buffer.alloc(0);
      });
      if (!made) known += 1;
    }
    return known;
  }

  test('shares a body and evicts the least recently used', () => {
    const cache = createAnswerCache();
    const megabyte = () => Buffer.alloc(1024 * 1024);
    const first = cache.getBody('first', megabyte);
    for (let index = 0; index < 30; index += 1) cache.getBody(`${index}`, megabyte);
    expect(cache.getBody('first', megabyte)).toBe(first);
    for (let index = 30; index < 50; index += 1) cache.getBody(`${index}`, megabyte);
    expect(cache.getBody('first', megabyte)).toBe(first);
    expect(knownOf(cache, ['0', '5'])).toBe(0);
    expect(knownOf(cache, ['49'])).toBe(1);
  });

  test('limits the number of short bodies', () => {
    const cache = createAnswerCache();
    const names = Array.from({ length: 200_000 }, (_, index) => `name-${index}`);
    for (const name of names) cache.getBody(name, () => Buffer.from('{"toggles":[]}'));
    expect(knownOf(cache, names.slice(0, 50_000))).toBe(0);
  });

  test('keeps the ETags of the last requests, except long ones', () => {
    const cache = createAnswerCache();
    cache.setTag('x'.repeat(2_001), 'tag');
    expect(cache.findTag('x'.repeat(2_001))).toBeUndefined();
    for (let index = 0; index <= 10_000; index += 1) cache.setTag(`${index}`, `tag-${index}`);
    expect([cache.findTag('0'), cache.findTag('2000'), cache.findTag('10000')]).toEqual([
      undefined,
      'tag-2000',
      'tag-10000',
    ]);
  });
});
