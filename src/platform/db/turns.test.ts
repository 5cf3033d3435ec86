import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Actor } from '../actor.ts';
import type { Transact, Tx } from './database.ts';
import { createTurns, turnLimits } from './turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const actor = (id: number, more: Partial<Actor> = {}): Actor => ({
  id,
  name: `account ${id}`,
  kind: 'person',
  ip: '192.0.2.1',
  requestId: 'r',
  may: () => true,
  sees: 'all',
  ...more,
});
const visitor = (ip: string) => actor(-1, { kind: 'system', ip });
const system = actor(-1, { kind: 'system', ip: null, requestId: null });

/** Changes that hold a connection until the test ends them. */
function changes(connections = 10) {
  const running: { readonly actor: Actor; readonly end: () => void }[] = [];
  const { takingTurns, countWaiting } = createTurns(turnLimits(connections));
  const transact = takingTurns((async (by: Actor, work: (tx: Tx) => Promise<unknown>) => {
    await new Promise<void>((resolve) => {
      const end = () => {
        running.splice(running.indexOf(change), 1);
        resolve();
      };
      const change = { actor: by, end };
      running.push(change);
    });
    return work({} as Tx);
  }) as Transact);
  const failures: unknown[] = [];
  let done = 0;
  return {
    begin: async (...actors: Actor[]) => {
      for (const each of actors) {
        transact(each, async () => undefined).then(
          () => {
            done += 1;
          },
          (error) => void failures.push(error),
        );
      }
      await vi.advanceTimersByTimeAsync(0);
    },
    endFirst: async () => {
      running[0]?.end();
      await vi.advanceTimersByTimeAsync(0);
    },
    running: () => running.map((change) => change.actor.id),
    count: () => running.length,
    countWaiting,
    done: () => done,
    failures,
  };
}

const times = (count: number, each: Actor) => Array.from({ length: count }, () => each);

describe('connections for changes', () => {
  test.each([
    [2, { accounts: 1, perAccount: 1, visitors: 1 }],
    [4, { accounts: 2, perAccount: 1, visitors: 1 }],
    [10, { accounts: 7, perAccount: 3, visitors: 2 }],
    [50, { accounts: 35, perAccount: 17, visitors: 10 }],
  ])('are divided between accounts and visitors if there are %i', (connections, limits) => {
    expect(turnLimits(connections)).toMatchObject(limits);
  });

  test('are limited to three of ten per account, so other accounts do not wait', async () => {
    const { begin, running, countWaiting } = changes();
    await begin(...times(20, actor(1)), actor(2));
    expect(running()).toEqual([1, 1, 1, 2]);
    expect(countWaiting()).toBe(17);
  });

  test('are partly reserved for sign-ins, and others for the system', async () => {
    const { begin, running } = changes();
    await begin(...[1, 2, 3, 4, 5].flatMap((id) => times(3, actor(id))));
    expect(running()).toHaveLength(7);
    await begin(...times(5, visitor('192.0.2.1')), ...times(5, visitor('192.0.2.2')));
    expect(running()).toHaveLength(9);
    await begin(system, system);
    expect(running()).toHaveLength(11);
  });

  test('are counted separately for a token and an account with the same id', async () => {
    const { begin, count } = changes();
    await begin(...times(3, actor(-2, { kind: 'token' })), ...times(3, actor(-2)));
    expect(count()).toBe(6);
  });

  test('are used for one change of a resource at a time', async () => {
    const { begin, endFirst, running, count, done } = changes();
    const resource = '/features/a';
    await begin(...times(10, actor(1, { resource })), actor(2, { resource }));
    expect(running()).toEqual([1]);
    await begin(actor(3, { resource: '/features/b' }), actor(2));
    expect(running().sort()).toEqual([1, 2, 3]);
    while (count() > 0) await endFirst();
    expect(done()).toBe(13);
  });

  test('are used for at most three resources per account, however many changes wait', async () => {
    const { begin, running } = changes();
    const resources = Array.from({ length: 20 }, (_, nth) => `/features/${nth}`);
    await begin(...resources.map((resource) => actor(1, { resource })));
    await begin(actor(2, { resource: '/features/19' }));
    expect(running()).toEqual([1, 1, 1, 2]);
  });
});

describe('a busy error', () => {
  test('is returned to an account with fifty changes, and to no other account', async () => {
    const { begin, endFirst, failures } = changes();
    await begin(...times(52, actor(1)), actor(2));
    expect(failures).toMatchObject(
      Array(2).fill({
        status: 503,
        name: 'UnavailableError',
        retryAfterSeconds: 2,
        message: expect.stringMatching(/^Burgee is busy with 50 other changes by your account/),
      }),
    );
    await endFirst();
    await begin(actor(1));
    expect(failures).toHaveLength(2);
  });

  test('is returned for a change that waited ten seconds, which leaves the queue', async () => {
    const { begin, endFirst, failures, count, done } = changes();
    await begin(...times(50, actor(1, { resource: '/features/a' })));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(failures).toHaveLength(49);
    expect(failures[0]).toMatchObject({
      status: 503,
      name: 'UnavailableError',
      retryAfterSeconds: 2,
      message: expect.stringMatching(/^Burgee is busy: earlier changes haven't finished/),
    });
    await begin(...times(49, actor(1)));
    expect(failures).toHaveLength(49);
    while (count() > 0) await endFirst();
    expect(done()).toBe(50);
  });

  test('does not interrupt a change that has started', async () => {
    const { begin, endFirst, failures, done } = changes();
    await begin(actor(1));
    await vi.advanceTimersByTimeAsync(60_000);
    await endFirst();
    expect([done(), failures]).toEqual([1, []]);
  });
});
