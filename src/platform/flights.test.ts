import { expect, test } from 'vitest';
import { createFlights } from './flights.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told to. */
function controlled() {
  const ends: ((error?: Error) => void)[] = [];
  const work = () =>
    new Promise<number>((resolve, reject) => {
      const nth = ends.length + 1;
      ends.push((error) => (error ? reject(error) : resolve(nth)));
    });
  return { ends, work };
}

test('whoever comes while something is being done shares the next time with the others', async () => {
  const fly = createFlights<string, number>();
  const { ends, work } = controlled();
  const answers = ['first', 'second', 'third'].map(() => fly('key', work));
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await settled();
  expect(ends).toHaveLength(2);
  const late = fly('key', work);
  ends[1]?.();
  await settled();
  ends[2]?.();
  expect(await Promise.all([...answers, late])).toEqual([1, 2, 2, 3]);
  const alone = fly('key', work);
  ends[3]?.();
  expect(await alone).toBe(4);
});

test('different keys do not wait for each other', async () => {
  const fly = createFlights<string, number>();
  const { ends, work } = controlled();
  const [one, two] = [fly('one', work), fly('two', work)];
  ends[1]?.();
  expect(await two).toBe(2);
  ends[0]?.();
  expect(await one).toBe(1);
});

test('a failure is of those who shared it, and of nobody after them', async () => {
  const fly = createFlights<string, number>();
  const { ends, work } = controlled();
  const [failing, next] = [fly('key', work), fly('key', work)];
  ends[0]?.(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  await settled();
  ends[1]?.();
  expect(await next).toBe(2);
});
