import { expect, test } from 'vitest';
import { upstreamAnswered } from '../upstream/requests.ts';
import { createLookups } from './lookups.ts';

test('invented tokens from one address do not delay tokens from others, and are limited', async () => {
  const asked: string[][] = [];
  const lookups = createLookups(async (secrets) => {
    asked.push([...secrets]);
  });
  const invented = Array.from({ length: 1_000 }, (_, nth) =>
    lookups.ask(`invented-${nth}`, '10.0.0.1').then(
      () => 'answered',
      (error) => error.status,
    ),
  );
  const own = lookups.ask('own', '10.0.0.2');
  await own;
  expect(asked[0]).toContain('own');
  const outcomes = await Promise.all(invented);
  expect(outcomes.filter((each) => each === 'answered').length).toBe(200);
  expect(outcomes.filter((each) => each === 503).length).toBe(800);
});

test('tokens looked up one after another cause at most 10 requests per second', async () => {
  const askedMs: number[] = [];
  const lookups = createLookups(async () => {
    askedMs.push(performance.now());
  });
  for (let nth = 0; nth < 4; nth += 1) await lookups.ask(`invented-${nth}`, '10.0.0.1');
  const gaps = askedMs.slice(1).map((ms, nth) => ms - (askedMs[nth] as number));
  // A timer may end a millisecond early.
  for (const gap of gaps) expect(gap).toBeGreaterThan(95);
});

test('a token that makes the upstream refuse a whole request fails alone', async () => {
  let requests = 0;
  const lookups = createLookups(async (secrets) => {
    requests += 1;
    if (secrets.includes('odd-7')) throw upstreamAnswered('POST /edge/validate', 400);
  });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, (_, nth) => lookups.ask(`odd-${nth}`, `10.0.0.${nth % 9}`)),
  );
  const failed = outcomes.flatMap(({ status }, nth) => (status === 'rejected' ? [nth] : []));
  expect(failed).toEqual([7]);
  expect(requests).toBeLessThan(20);
});

test('an address whose tokens make the upstream refuse requests does not delay other addresses', async () => {
  let requests = 0;
  const lookups = createLookups(async (secrets) => {
    requests += 1;
    if (secrets.some((secret) => secret.startsWith('odd'))) {
      throw upstreamAnswered('POST /edge/validate', 403);
    }
  });
  const requestsUntil = async (answers: readonly Promise<void>[]): Promise<number> => {
    const before = requests;
    await Promise.all(answers);
    return requests - before;
  };
  const first = lookups.ask('first', '10.0.0.1');
  const outcomes = Promise.allSettled(
    Array.from({ length: 150 }, (_, nth) => lookups.ask(`odd-${nth}`, '10.0.0.2')),
  );
  const third = lookups.ask('third', '10.0.0.3');
  expect(await requestsUntil([first, third])).toBeLessThan(6);
  for (let nth = 0; nth < 4; nth += 1) {
    const answer = lookups.ask(`later-${nth}`, `10.0.1.${nth}`);
    // One that was already being sent, one for some of the refused tokens, and its own.
    expect(await requestsUntil([answer])).toBeLessThan(4);
  }
  expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true);
  expect(requests).toBeLessThan(60);
});

test('an upstream that refuses every request gets fewer requests than there are tokens', async () => {
  let requests = 0;
  const lookups = createLookups(async () => {
    requests += 1;
    throw upstreamAnswered('POST /edge/validate', 403);
  });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, (_, nth) => lookups.ask(`any-${nth}`, '10.0.0.1')),
  );
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  expect(requests).toBeLessThan(40);
});
