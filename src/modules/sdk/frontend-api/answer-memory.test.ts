import { describe, expect, test } from 'vitest';
import { createAnswerMemory } from './answer-memory.ts';

describe('an answer memory', () => {
  /** How many of these are still known; asking for one that is not makes it known again. */
  function knownOf(
    memory: ReturnType<typeof createAnswerMemory>,
    names: readonly string[],
  ): number {
    let known = 0;
    for (const name of names) {
      let made = false;
      memory.bodyOf(name, () => {
        made = true;
        return Buffer.alloc(0);
      });
      if (!made) known += 1;
    }
    return known;
  }

  test('shares a body, and forgets those that were asked for longest ago', () => {
    const memory = createAnswerMemory();
    const megabyte = () => Buffer.alloc(1024 * 1024);
    const first = memory.bodyOf('first', megabyte);
    for (let index = 0; index < 30; index += 1) memory.bodyOf(`${index}`, megabyte);
    expect(memory.bodyOf('first', megabyte)).toBe(first);
    for (let index = 30; index < 50; index += 1) memory.bodyOf(`${index}`, megabyte);
    expect(memory.bodyOf('first', megabyte)).toBe(first);
    expect(knownOf(memory, ['0', '5'])).toBe(0);
    expect(knownOf(memory, ['49'])).toBe(1);
  });

  test('is not filled with ever more that is short', () => {
    const memory = createAnswerMemory();
    const names = Array.from({ length: 200_000 }, (_, index) => `name-${index}`);
    for (const name of names) memory.bodyOf(name, () => Buffer.from('{"toggles":[]}'));
    expect(knownOf(memory, names.slice(0, 50_000))).toBe(0);
  });

  test('remembers the tags of the last questions, and none of a long one', () => {
    const memory = createAnswerMemory();
    memory.rememberTag('x'.repeat(2_001), 'tag');
    expect(memory.tagOf('x'.repeat(2_001))).toBeUndefined();
    for (let index = 0; index <= 10_000; index += 1) memory.rememberTag(`${index}`, `tag-${index}`);
    expect([memory.tagOf('0'), memory.tagOf('2000'), memory.tagOf('10000')]).toEqual([
      undefined,
      'tag-2000',
      'tag-10000',
    ]);
  });
});
