import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { testActor } from '../../../test/support/app.ts';
import { closeLater } from '../../../test/support/closing.ts';
import { endpoint } from '../contract/endpoint.ts';
import { AppError } from '../errors.ts';
import { createSemaphore } from '../semaphore.ts';
import { arrivalLimits, registerArrival } from './arrival.ts';
import { registerContentTypes } from './content-type.ts';
import { registerErrorHandler } from './error-handler.ts';
import { examine, type LargeRequest } from './examine.ts';
import { createLargeBodies } from './large-bodies.ts';
import { route } from './route.ts';

const large = endpoint({
  method: 'POST',
  path: '/large',
  id: 'large',
  tag: 'Test',
  summary: 'Takes a large body',
  permission: 'public',
  bodyLimitBytes: 4 * 1024 * 1024,
  body: Type.Object({ text: Type.String() }),
  response: Type.Object({ length: Type.Integer() }),
});

/** A server with one endpoint. Counts how many bodies were examined, and how many at once. */
function server(
  examineBody: Parameters<typeof createLargeBodies>[0] = async (request) => examine(large, request),
  limits = arrivalLimits,
) {
  const seen = { examined: 0, atOnce: 0, most: 0 };
  const worked: number[] = [];
  const largeBodies = createLargeBodies(async (request: LargeRequest) => {
    seen.examined += 1;
    return examineBody(request);
  });
  const app = Fastify();
  app.decorateRequest('actor', null);
  app.setValidatorCompiler(() => () => true);
  registerErrorHandler(app);
  registerContentTypes(app, largeBodies);
  registerArrival(app, {
    stopping: new AbortController().signal,
    limits,
    largeBodies,
  });
  const arrived: (string | undefined)[] = [];
  app.addHook('onRequest', async (request) => {
    const account = request.headers['x-account'];
    if (typeof account === 'string') request.actor = { ...testActor, id: Number(account) };
    arrived.push(account as string | undefined);
  });
  route(app, large, async ({ body }) => {
    worked.push(body.text.length);
    seen.atOnce += 1;
    seen.most = Math.max(seen.most, seen.atOnce);
    await new Promise(setImmediate);
    seen.atOnce -= 1;
    return { length: body.text.length };
  });
  closeLater(() => app.close());
  const send = (payload: string, account?: number) =>
    app.inject({
      method: 'POST',
      url: '/large',
      payload,
      headers: {
        'content-type': 'application/json',
        ...(account !== undefined && { 'x-account': account }),
      },
    });
  const listen = async () => Number(new URL(await app.listen({ port: 0 })).port);
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_, open) => resolve(open)));
  return { send, seen, worked, arrived, listen, connections };
}

const textOf = (length: number) => JSON.stringify({ text: 'x'.repeat(length) });

test('a body of the usual size is parsed directly', async () => {
  const { send, seen } = server();
  expect((await send(textOf(1_000_000))).json()).toEqual({ length: 1_000_000 });
  expect(seen.examined).toBe(0);
});

test('large bodies are examined in the worker, one at a time', async () => {
  const { send, seen } = server();
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(textOf(2_000_000))));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
  expect(seen).toEqual({ examined: 8, atOnce: 0, most: 1 });
});

test('a body whose client disconnected is examined completely before the next one, and then dropped', async () => {
  let finish: () => void = () => undefined;
  const examined: string[] = [];
  const { send, listen, connections, worked } = server(async (request) => {
    const result = examine(large, request);
    examined.push('begun');
    if (examined.length === 1) {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    }
    examined.push('ended');
    return result;
  });
  const port = await listen();
  const leaving = connect(port, '127.0.0.1');
  const body = textOf(1_500_000);
  leaving.write(
    `POST /large HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await expect.poll(() => examined).toEqual(['begun']);
  leaving.destroy();
  const next = send(textOf(2_000_000));
  await expect.poll(connections).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(examined).toEqual(['begun']);
  finish();
  expect((await next).json()).toEqual({ length: 2_000_000 });
  expect(examined).toEqual(['begun', 'ended', 'begun', 'ended']);
  expect(worked).toEqual([2_000_000]);
});

test('a client that disconnects while waiting for a permit does not block others', async () => {
  const { send, listen, connections } = server();
  const port = await listen();
  const begun = () => {
    const socket = connect(port, '127.0.0.1');
    const head = 'POST /large HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    socket.write(`${head}content-length: 100000\r\nx-account: 1\r\n\r\n${' '.repeat(66_000)}`);
    return socket;
  };
  // An account has two permits. More of its bodies wait, and their clients disconnect.
  const sockets = Array.from({ length: 6 }, begun);
  for (const leaving of [sockets.slice(2), sockets.slice(0, 2)]) {
    await Promise.all(leaving.map((socket) => once(socket.resume().end(), 'close')));
  }
  await expect.poll(connections).toBe(0);
  expect((await send(textOf(100_000), 1)).statusCode).toBe(200);
});

test('an invalid large body is rejected, and the next one is processed', async () => {
  const { send } = server();
  const refused = await send(JSON.stringify({ text: 5, more: 'x'.repeat(2_000_000) }));
  expect(refused.statusCode).toBe(400);
  expect(refused.json().details).toEqual([
    { path: '/body/text', message: '/body/text must be string; you sent 5' },
  ]);
  expect((await send(textOf(2_000_000))).statusCode).toBe(200);
});

test('further requests get 503 while too many wait', async () => {
  const { send } = server();
  const answers = await Promise.all(Array.from({ length: 40 }, () => send(textOf(1_100_000))));
  const statuses = new Set(answers.map(({ statusCode }) => statusCode));
  expect([...statuses].sort()).toEqual([200, 503]);
});

test('a free slot goes to the client that waited longest and is still connected', async () => {
  const { acquire } = createSemaphore(1, { maxWaiting: 2, refusal: 'busy' });
  const first = await acquire();
  const left = new AbortController();
  const second = acquire(left.signal);
  const third = acquire();
  await expect(acquire()).rejects.toThrow(AppError);
  left.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  first();
  first();
  const release = await third;
  const fourth = acquire();
  release();
  (await fourth)();
  (await acquire())();
});

/** Starts an upload of 2 MB and sends only a part. Returns the response. */
function beginUpload(port: number, account: number, { bytes = 2_000_000, sent = 1 } = {}) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  closeLater(async () => void socket.destroy());
  socket.write(
    `POST /large HTTP/1.1\r\nhost: x\r\nx-account: ${account}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
  );
  socket.write(' '.repeat(sent));
  return () => text;
}

test('slow uploads of one account do not block uploads of others', async () => {
  const { send, listen, arrived } = server();
  const port = await listen();
  for (let nth = 0; nth < 8; nth += 1) beginUpload(port, 1);
  await expect.poll(() => arrived.length).toBe(8);
  expect((await send(textOf(2_000_000), 2)).statusCode).toBe(200);
});

test.each([
  ['a large body', { bytes: 2_000_000, sent: 1 }],
  ['a body above the size of small ones', { bytes: 200_000, sent: 70_000 }],
])('%s that stalls returns 408', async (_what, upload) => {
  const { listen } = server(undefined, { ...arrivalLimits, progressMs: 50 });
  const response = beginUpload(await listen(), 1, upload);
  await expect.poll(response).toContain('408');
});

test('bodies that parse slowly are parsed in separate turns of the event loop', async () => {
  const { send, seen, worked } = server();
  let turn = 0;
  const turns = new Set<number>();
  let isOver = false;
  const countTurns = () => {
    turn += 1;
    if (!isOver) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const parse = JSON.parse;
  JSON.parse = (...given) => {
    turns.add(turn);
    return parse(...given);
  };
  try {
    await Promise.all(Array.from({ length: 12 }, (_, nth) => send(textOf(500_000), nth % 3)));
  } finally {
    JSON.parse = parse;
    isOver = true;
  }
  expect([worked.length, turns.size, seen.examined]).toEqual([12, 12, 0]);
});

test('a body with very many values is parsed in the worker, whatever its size', async () => {
  const { send, seen } = server();
  const more = Array.from({ length: 4 }, () => Array(10_000).fill(1));
  const body = JSON.stringify({ text: 'x', more });
  expect((await send(body)).json()).toEqual({ length: 1 });
  expect([body.length < 100_000, seen.examined]).toEqual([true, 1]);
});

test('an account has two bodies in memory at once, and further ones wait', async () => {
  const { admitGrown } = createLargeBodies(async () => ({ faults: [] }));
  const admitted: number[] = [];
  const enter = async (id: number) => {
    const raw = Object.assign(new EventEmitter(), { destroyed: false });
    await admitGrown({ actor: { ...testActor, id } } as never, { raw } as never);
    admitted.push(id);
    return raw;
  };
  const all = Array.from({ length: 3 }, () => enter(1));
  await enter(2);
  expect(admitted).toEqual([1, 1, 2]);
  (await all[0])?.emit('close');
  await all[2];
  expect(admitted).toEqual([1, 1, 2, 1]);
});
