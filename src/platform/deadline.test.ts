import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { afterEach, expect, test, vi } from 'vitest';
import { closeLater } from '../../test/support/closing.ts';
import { startDeadline } from './deadline.ts';

afterEach(() => vi.useRealTimers());

/** Runs nothing else, as if the process were stopped. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('an answer that arrived while the process was paused is read before the deadline expires', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  closeLater(async () => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  closeLater(async () => void socket.destroy());
  const [[accepted]] = (await Promise.all([
    once(server, 'connection'),
    once(socket, 'connect'),
  ])) as [[Socket], unknown];
  const outcome = new Promise<string>((resolve) => {
    const deadline = startDeadline(100, () => resolve('expired'));
    socket.once('data', (data) => {
      deadline.clear();
      resolve(String(data));
    });
  });
  accepted.end('answer');
  block(150);
  expect(await outcome).toBe('answer');
});

test('expires once after its time, which begins again with a restart', () => {
  vi.useFakeTimers();
  const expire = vi.fn();
  const deadline = startDeadline(15, expire);
  vi.advanceTimersByTime(14);
  deadline.restart();
  vi.advanceTimersByTime(14);
  expect(expire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(expire).toHaveBeenCalledTimes(1);
});

test('does not expire after it was cleared', () => {
  vi.useFakeTimers();
  const expire = vi.fn();
  startDeadline(15, expire).clear();
  vi.advanceTimersByTime(1_000);
  expect(expire).not.toHaveBeenCalled();
});
