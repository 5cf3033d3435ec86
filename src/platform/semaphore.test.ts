import { expect, test } from 'vitest';
import { createKeyedSemaphore } from './semaphore.ts';

const queue = { maxWaiting: 1, refusal: 'too much' };

test('work of one key waits for the same key, and not for others', async () => {
  const { acquire } = createKeyedSemaphore<string>(1, queue);
  const order: string[] = [];
  const first = await acquire('a');
  const second = acquire('a').then((release) => {
    order.push('second of a');
    return release;
  });
  (await acquire('b'))();
  order.push('b');
  first();
  first();
  (await second)();
  expect(order).toEqual(['b', 'second of a']);
});

test('a key with too many waiting is rejected, and accepted again later', async () => {
  const { acquire } = createKeyedSemaphore<number>(1, queue);
  const first = await acquire(1);
  const second = acquire(1);
  await expect(acquire(1)).rejects.toMatchObject({ status: 503 });
  first();
  (await second)();
  (await acquire(1))();
});

test('a caller that leaves the queue takes no permit', async () => {
  const { acquire } = createKeyedSemaphore<string>(1, queue);
  const first = await acquire('a');
  const left = new AbortController();
  const second = acquire('a', left.signal);
  left.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  first();
  (await acquire('a'))();
});
