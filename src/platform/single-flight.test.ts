import { expect, test } from 'vitest';
import { createSingleFlight } from './single-flight.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when the test says so. */
function controlled() {
  const ends: ((error?: Error) => void)[] = [];
  const work = () =>
    new Promise<number>((resolve, reject) => {
      const nth = ends.length + 1;
      ends.push((error) => (error ? reject(error) : resolve(nth)));
    });
  return { ends, work };
}

test('callers that join running work share its result', async () => {
  const { join } = createSingleFlight<string, number>();
  const { ends, work } = controlled();
  const answers = ['first', 'second', 'third'].map(() => join('key', work));
  expect(ends).toHaveLength(1);
  ends[0]?.();
  expect(await Promise.all(answers)).toEqual([1, 1, 1]);
  const alone = join('key', work);
  ends[1]?.();
  expect(await alone).toBe(2);
});

test('callers that wait for the next run share it', async () => {
  const { joinNext } = createSingleFlight<string, number>();
  const { ends, work } = controlled();
  const answers = ['first', 'second', 'third'].map(() => joinNext('key', work));
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await settled();
  expect(ends).toHaveLength(2);
  const late = joinNext('key', work);
  ends[1]?.();
  await settled();
  ends[2]?.();
  expect(await Promise.all([...answers, late])).toEqual([1, 2, 2, 3]);
  const alone = joinNext('key', work);
  ends[3]?.();
  expect(await alone).toBe(4);
});

test('different keys do not wait for each other', async () => {
  const { joinNext } = createSingleFlight<string, number>();
  const { ends, work } = controlled();
  const [one, two] = [joinNext('one', work), joinNext('two', work)];
  ends[1]?.();
  expect(await two).toBe(2);
  ends[0]?.();
  expect(await one).toBe(1);
});

test('a failure is thrown to the callers who shared it, and not to later ones', async () => {
  const { join, joinNext } = createSingleFlight<string, number>();
  const { ends, work } = controlled();
  const [failing, joined, next] = [joinNext('key', work), join('key', work), joinNext('key', work)];
  ends[0]?.(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  await expect(joined).rejects.toThrow('no');
  await settled();
  ends[1]?.();
  expect(await next).toBe(2);
});
