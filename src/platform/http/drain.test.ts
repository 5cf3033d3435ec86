import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { appOn, testApp } from '../../../test/support/app.ts';
import { make } from '../../../test/support/make.ts';
import { adminToken, clientToken } from '../../../test/support/tokens.ts';
import { closeOneByOne, retryField } from './drain.ts';

const never = new AbortController().signal;

describe('streams of a server that stops', () => {
  test.each([
    [0, 0, 0],
    [1, 1, 1],
    [25, 3, 9],
    [200, 20, 10],
  ])('are closed in batches: %i streams in %i steps of at most %i', async (count, steps, most) => {
    const streams = Array.from({ length: count }, (_, index) => index);
    const closed: (readonly number[])[] = [];
    await closeOneByOne(streams, (some) => closed.push(some), never);
    expect(closed.flat()).toEqual(streams);
    expect(closed).toHaveLength(steps);
    expect(Math.max(0, ...closed.map(({ length }) => length))).toBe(most);
  });

  test('are no longer closed in batches once there is no time left', async () => {
    const hurry = new AbortController();
    const closed: number[] = [];
    const streams = Array.from({ length: 5_000 }, (_, index) => index);
    await closeOneByOne(
      streams,
      (some) => {
        closed.push(...some);
        hurry.abort();
      },
      hurry.signal,
    );
    expect(closed).toHaveLength(10);
  });

  test('tell clients to reconnect soon, each at another time', () => {
    const times = (closed: Parameters<typeof retryField>[0]) =>
      Array.from({ length: 500 }, () => Number(/^retry: (\d+)\n$/.exec(retryField(closed))?.[1]));
    for (const [closed, low, high] of [
      ['one by one', 100, 1_000],
      ['at once', 1_000, 6_000],
    ] as const) {
      const all = times(closed);
      expect(all.every((ms) => ms >= low && ms <= high)).toBe(true);
      expect(new Set(all).size).toBeGreaterThan(100);
    }
  });
});

/** A second instance that drains when it closes, and stops only when the test says so. */
async function drainingInstance(shutdownDelayMs: number) {
  const first = await testApp();
  const hurry = new AbortController();
  let drained = false;
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const instance = await appOn(first, {
    config: { shutdownDelayMs },
    drain: async (work) => {
      await work(hurry.signal);
      drained = true;
      await stopped;
    },
  });
  onTestFinished(() => {
    hurry.abort();
    stop();
  });
  await instance.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = instance.app.server.address() as AddressInfo;
  return { first, instance, port, hurry, stop, isDrained: () => drained };
}

type Instance = Awaited<ReturnType<typeof drainingInstance>>;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends a request over a kept-alive connection. */
async function ask({ port }: Instance, path: string, accept = 'application/json') {
  const headers = { authorization: clientToken, accept };
  const request = get({ port, path, headers, agent, host: '127.0.0.1' });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode, connection: response.headers.connection };
}

/** Reads a stream. Returns what it received and whether it ended. */
async function follow({ port }: Instance, path: string, token: string) {
  const headers = { authorization: token, accept: 'text/event-stream' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  expect(response.status).toBe(200);
  const seen = { text: '', ended: false };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      seen.text += decoder.decode(chunk as Uint8Array, { stream: true });
    }
    seen.ended = true;
  };
  read().catch(() => undefined);
  await expect.poll(() => seen.text).not.toBe('');
  return seen;
}

const bothStreams = (instance: Instance) =>
  Promise.all([
    follow(instance, '/api/client/streaming', clientToken),
    follow(instance, '/api/admin/search/events', adminToken),
  ]);

describe('a graceful shutdown', () => {
  test("may take longer than Fastify's limit of ten seconds", async () => {
    expect((await testApp()).app.initialConfig.pluginTimeout).toBe(0);
  });

  test('reports not ready, still answers all requests, and tells clients to open new connections', async () => {
    const instance = await drainingInstance(3_600_000);
    await expect
      .poll(() => ask(instance, '/ready'))
      .toEqual({ status: 200, connection: 'keep-alive' });
    const streams = await bothStreams(instance);
    const closed = instance.instance.app.close();
    await expect.poll(() => ask(instance, '/ready')).toMatchObject({ status: 503 });
    expect(await ask(instance, '/api/client/features')).toEqual({
      status: 200,
      connection: 'close',
    });
    await make(instance.first.ask).feature('made-meanwhile');
    await expect
      .poll(() => streams.map(({ text }) => text.includes('made-meanwhile')))
      .toEqual([true, true]);
    await follow(instance, '/api/client/streaming', clientToken);

    // Without time left, the wait ends and all streams end together.
    instance.hurry.abort();
    instance.stop();
    await closed;
    await expect.poll(() => streams.every(({ ended }) => ended)).toBe(true);
    for (const { text } of streams) {
      expect(text).toMatch(/\nretry: [1-6]\d{3}\n(?:id: \d+\n)?\n$/);
    }
  });

  test('closes streams before the server stops, and rejects new SDK streams', async () => {
    const instance = await drainingInstance(1);
    const streams = await bothStreams(instance);
    const closed = instance.instance.app.close();
    await expect.poll(instance.isDrained).toBe(true);
    await expect.poll(() => streams.every(({ ended }) => ended)).toBe(true);
    for (const { text } of streams) {
      expect(text).toMatch(/\nretry: (?:\d{3}|1000)\n(?:id: \d+\n)?\n$/);
    }
    expect(await ask(instance, '/api/client/features')).toMatchObject({ status: 200 });
    const again = await ask(instance, '/api/client/streaming', 'text/event-stream');
    expect(again.status).toBe(503);
    instance.stop();
    await closed;
  });
});
