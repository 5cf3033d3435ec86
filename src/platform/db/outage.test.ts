import { describe, expect, test, vi } from 'vitest';
import { createDatabaseBreaker, createOutageWatch } from './outage.ts';

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const fail = () => Promise.reject(refused());
const never = () => new Promise<string>(() => undefined);

describe('While the database is away', () => {
  test('the cached result is returned, and only one request a second looks again', async () => {
    const { ask } = createOutageWatch();
    const look = vi.fn(fail);
    for (let times = 0; times < 50; times += 1)
      expect(await ask(look, () => 'known')).toBe('known');
    expect(look.mock.calls.length).toBeLessThan(50);
  });

  test('the outage is thrown to whoever remembers nothing', async () => {
    await expect(createOutageWatch().ask(fail, () => undefined)).rejects.toThrow('ECONNREFUSED');
  });

  test('a value that was removed during its look-up is not returned', async () => {
    let known: string | undefined = 'known';
    const look = async () => {
      known = undefined;
      throw refused();
    };
    await expect(createOutageWatch().ask(look, () => known)).rejects.toThrow('ECONNREFUSED');
  });

  test('a look that never ends is not waited for', async () => {
    const { ask } = createOutageWatch({ patienceMs: 1 });
    expect(await ask(never, () => 'known')).toBe('known');
  });

  test('nobody waits for the look that finds out whether it is back, not even who began it', async () => {
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

  test('once something is heard from it, whoever asks next waits for what is true now', async () => {
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

  test('one who waited in vain is enough: the others do not wait as well', async () => {
    const breaker = createDatabaseBreaker();
    const first = createOutageWatch({ breaker, patienceMs: 1 });
    const second = createOutageWatch({ breaker });
    expect(await first.ask(never, () => 'known')).toBe('known');
    expect(await second.ask(never, () => 'known')).toBe('known');
    expect(second.isAway()).toBe(true);
  });

  test('its beginning and its end are logged once', async () => {
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

test('a failure that is no outage is thrown, whatever is remembered', async () => {
  const { ask } = createOutageWatch();
  const look = () => Promise.reject(new Error('a mistake in a statement'));
  await expect(ask(look, () => 'known')).rejects.toThrow('a mistake');
});
