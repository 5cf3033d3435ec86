import { describe, expect, test, vi } from 'vitest';
import { createDatabaseBreaker, createOutageWatch } from './outage.ts';

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const fail = () => Promise.reject(refused());
const never = () => new Promise<string>(() => undefined);

describe('while the database is down', () => {
  test('the cached value is returned, and only one request per second queries the database', async () => {
    const { ask } = createOutageWatch();
    const look = vi.fn(fail);
    for (let times = 0; times < 50; times += 1)
      expect(await ask(look, () => 'known')).toBe('known');
    expect(look.mock.calls.length).toBeLessThan(50);
  });

  test('the error is thrown if there is no cached value', async () => {
    await expect(createOutageWatch().ask(fail, () => undefined)).rejects.toThrow('ECONNREFUSED');
  });

  test('a value removed during its query is not returned', async () => {
    let known: string | undefined = 'known';
    const look = async () => {
      known = undefined;
      throw refused();
    };
    await expect(createOutageWatch().ask(look, () => known)).rejects.toThrow('ECONNREFUSED');
  });

  test('a query that never ends is not awaited', async () => {
    const { ask } = createOutageWatch({ patienceMs: 1 });
    expect(await ask(never, () => 'known')).toBe('known');
  });

  test('no request waits for the query that checks whether the database is back', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { ask } = createOutageWatch();
      await ask(fail, () => 'known');
      vi.advanceTimersByTime(1_500);
      const look = vi.fn(never);
      for (let times = 0; times < 3; times += 1)
        expect(await ask(look, () => 'known')).toBe('known');
      expect(look).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('the first request after a sign of life waits for the current value', async () => {
    const { ask, lookAgain, isAway } = createOutageWatch();
    await ask(fail, () => 'known');
    lookAgain();
    const found = ask(
      async () => 'found',
      () => 'known',
    );
    expect(await found).toBe('found');
    expect(isAway()).toBe(false);
  });

  test('after one query timed out, other callers do not wait', async () => {
    const breaker = createDatabaseBreaker();
    const first = createOutageWatch({ breaker, patienceMs: 1 });
    const second = createOutageWatch({ breaker });
    expect(await first.ask(never, () => 'known')).toBe('known');
    expect(await second.ask(never, () => 'known')).toBe('known');
    expect(second.isAway()).toBe(true);
  });

  test('the start and end of the outage are reported once', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const changes: unknown[] = [];
      const { ask } = createOutageWatch({ onChange: (reason) => changes.push(reason) });
      for (let times = 0; times < 3; times += 1) {
        await ask(fail, () => 'known');
        vi.advanceTimersByTime(1_500);
      }
      const look = async () => 'found';
      expect(await ask(look, () => 'known')).toBe('known');
      await expect.poll(() => ask(look, () => 'known')).toBe('found');
      expect(changes).toEqual([expect.objectContaining({ code: 'ECONNREFUSED' }), undefined]);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('an error other than an outage is thrown despite a cached value', async () => {
  const { ask } = createOutageWatch();
  const look = () => Promise.reject(new Error('a mistake in a statement'));
  await expect(ask(look, () => 'known')).rejects.toThrow('a mistake');
});
