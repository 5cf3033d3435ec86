import { describe, expect, test } from 'vitest';
import { createSlices, inSlices } from './slices.ts';

/** A clock that advances by this much on each read. */
const clock = (ms: number) => {
  let now = 0;
  return () => (now += ms);
};

function* steps(count: number) {
  for (let step = 0; step < count; step += 1) yield;
  return count;
}

describe('work in slices', () => {
  test('is done at once if it is short', () => {
    expect(inSlices(steps(9), clock(1))).toBe(9);
  });

  test('lets other work run if it is long, with the same result', async () => {
    const long = inSlices(steps(100), clock(6));
    expect(long).toBeInstanceOf(Promise);
    let turns = 0;
    const turn = () => {
      turns += 1;
      others = setImmediate(turn);
    };
    let others = setImmediate(turn);
    expect(await long).toBe(100);
    clearImmediate(others);
    expect(turns).toBeGreaterThan(10);
  });

  test('lets other work run between any two steps of several tasks', async () => {
    const finished: string[] = [];
    const work = async (name: string) => {
      const slices = createSlices(clock(11));
      for (let step = 0; step < 3; step += 1) {
        await slices.pause();
        finished.push(name);
      }
    };
    let others = setImmediate(function turn() {
      finished.push('other');
      others = setImmediate(turn);
    });
    await Promise.all(['a', 'b', 'c'].map(work));
    clearImmediate(others);
    const pairs = finished.slice(1).map((name, at) => [finished[at], name]);
    expect(finished.filter((name) => name !== 'other')).toHaveLength(9);
    expect(pairs.filter((pair) => !pair.includes('other'))).toEqual([]);
  });

  test('started in one turn shares a slice', () => {
    const now = clock(4);
    const [first, second] = [createSlices(now), createSlices(now)];
    expect([first.isOver(), second.isOver()]).toEqual([false, true]);
  });

  test('rejects if it fails', async () => {
    const failing = function* (): Generator<void, void> {
      for (let step = 0; step < 9; step += 1) yield;
      throw new Error('no');
    };
    await expect(async () => inSlices(failing(), clock(6))).rejects.toThrow('no');
  });
});
