import { describe, expect, test, vi } from 'vitest';
import { StartError } from '../../start-error.ts';
import { diskFull } from './failure.ts';
import { type JoinedServer, keepRunning } from './keep-running.ts';

/** A server that runs until the test ends it. */
function serverWith(pid: number): JoinedServer & { die: () => void } {
  let die: () => void = () => undefined;
  let held = true;
  const lost = new Promise<void>((resolve) => {
    die = () => {
      held = false;
      resolve();
    };
  });
  const nothing = async () => undefined;
  return {
    connection: { host: '/socket', port: 5432, user: 'burgee', database: 'burgee' },
    presence: { isHeld: () => held, lost, becomeLast: async () => false, leave: nothing },
    postmaster: {
      pid,
      startedAt: 1,
      port: 5432,
      socketDir: '/socket',
      ready: true,
      stopping: false,
    },
    adopted: false,
    die: () => die(),
  };
}

/** Waits without its own limit, because the machine may be slow: the test's time limit applies. */
const waitFor = (outcome: () => unknown) => vi.waitFor(outcome, { timeout: 110_000, interval: 5 });

const broken = () => Promise.reject(new StartError('could not start'));

describe('a database server that died', () => {
  test('is restarted, with retries, and monitored again', async () => {
    const servers = [serverWith(1), serverWith(2), serverWith(3)] as const;
    const again = vi
      .fn<(signal: AbortSignal) => Promise<JoinedServer>>()
      .mockImplementationOnce(broken)
      .mockResolvedValueOnce(servers[1])
      .mockResolvedValueOnce(servers[2]);
    const running = keepRunning(servers[0], again, { warn: () => undefined, pausesMs: [0] });
    servers[0].die();
    await waitFor(() => expect(again).toHaveBeenCalledTimes(2));
    servers[1].die();
    await waitFor(() => expect(again).toHaveBeenCalledTimes(3));
    await waitFor(async () => expect((await running.end()).postmaster.pid).toBe(3));
  });

  test('is no longer restarted after 8 failed attempts, with the reason', async () => {
    const first = serverWith(1);
    const again = vi.fn(broken);
    const onGone = vi.fn();
    keepRunning(first, again, { warn: () => undefined, onGone, pausesMs: [0] });
    first.die();
    await waitFor(() => expect(onGone).toHaveBeenCalled());
    expect(again).toHaveBeenCalledTimes(8);
    expect(onGone.mock.calls).toEqual([
      [
        expect.objectContaining({
          message: "PostgreSQL stopped unexpectedly and couldn't be restarted. could not start",
        }),
      ],
    ]);
  });

  test('is no longer restarted if it dies repeatedly right after it starts', async () => {
    const onGone = vi.fn();
    let starts = 0;
    const again = async () => {
      starts += 1;
      const server = serverWith(starts);
      server.die();
      return server;
    };
    const first = serverWith(0);
    keepRunning(first, again, { warn: () => undefined, onGone, pausesMs: [0] });
    first.die();
    await waitFor(() => expect(onGone).toHaveBeenCalledOnce());
    expect(starts).toBe(8);
  });

  test('because its disk is full is retried without a limit', async () => {
    const [first, back] = [serverWith(1), serverWith(2)];
    const again = vi.fn(() => Promise.reject(diskFull('/data')) as Promise<JoinedServer>);
    const onGone = vi.fn();
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const running = keepRunning(first, again, { warn, onGone, pausesMs: [0] });
    first.die();
    await waitFor(() => expect(again.mock.calls.length).toBeGreaterThan(20));
    again.mockImplementation(async () => back);
    await waitFor(() => expect(warnings.at(-1)).toBe('PostgreSQL is running again (process 2)'));
    expect(onGone).not.toHaveBeenCalled();
    // Once, however long it takes.
    expect(warnings.filter((text) => text.includes('disk is full'))).toHaveLength(1);
    expect((await running.end()).postmaster.pid).toBe(2);
  });

  test('because its disk is full is retried at growing intervals', async () => {
    const first = serverWith(1);
    const again = vi.fn(() => Promise.reject(diskFull('/data')) as Promise<JoinedServer>);
    const pauses: number[] = [];
    const pause = async (ms: number) => {
      pauses.push(ms);
      await new Promise(setImmediate);
    };
    const options = { warn: () => undefined, onGone: vi.fn(), pausesMs: [1, 2, 4], pause };
    const running = keepRunning(first, again, options);
    first.die();
    await waitFor(() => expect(again.mock.calls.length).toBeGreaterThan(5));
    await running.end();
    expect(pauses.slice(0, 6)).toEqual([1, 2, 4, 4, 4, 4]);
  });

  test('is not restarted once Burgee stops', async () => {
    const first = serverWith(1);
    const again = vi.fn(broken);
    const running = keepRunning(first, again, { warn: () => undefined, pausesMs: [3_600_000] });
    first.die();
    expect((await running.end()).presence.isHeld()).toBe(false);
    expect(again).not.toHaveBeenCalled();
  });
});
