import { describe, expect, test, vi } from 'vitest';
import { createOutageWatch } from './outage.ts';

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const fail = () => Promise.reject(refused());
const never = () => new Promise<string>(() => undefined);

describe('While the database is away', () => {
  test('what is remembered is told, and only one in a second looks again', async () => {
    const { ask } = createOutageWatch();
    const look = vi.fn(fail);
    for (let times = 0; times < 50; times += 1)
      expect(await ask(look, () => 'known')).toBe('known');
    expect(look.mock.calls.length).toBeLessThan(50);
  });

  test('the outage is thrown to whoever remembers nothing', async () => {
    await expect(createOutageWatch().ask(fail, () => undefined)).rejects.toThrow('ECONNREFUSED');
  });

  test('what was forgotten while it was looked for is not told', async () => {
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

  test('nobody waits for the one who looks whether it is back', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { ask } = createOutageWatch();
      await ask(fail, () => 'known');
      vi.advanceTimersByTime(1_500);
      const looking = ask(never, () => 'known');
      expect(await ask(never, () => 'known')).toBe('known');
      void looking;
    } finally {
      vi.useRealTimers();
    }
  });

  test('its beginning and its end are told once', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const changes: unknown[] = [];
      const { ask } = createOutageWatch({ onChange: (reason) => changes.push(reason) });
      for (let times = 0; times < 3; times += 1) {
        await ask(fail, () => 'known');
        vi.advanceTimersByTime(1_500);
      }
      expect(
        await ask(
          async () => 'found',
          () => 'known',
        ),
      ).toBe('found');
      expect(
        await ask(
          async () => 'found',
          () => 'known',
        ),
      ).toBe('found');
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
