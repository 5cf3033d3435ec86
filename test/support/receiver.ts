import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it was received. */
export interface Received {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes. */
  readonly bytes: Buffer;
  readonly body: string;
}

/** `hang`: never responds. `reset`: resets the connection. */
export type ReceiverAnswer =
  | 'hang'
  | 'reset'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Anything but text is sent as JSON. */
      readonly body?: unknown;
    };

/** `count` is the number of earlier requests. */
export type ReceiverHandler = (
  request: Received,
  count: number,
) => ReceiverAnswer | Promise<ReceiverAnswer>;

export interface Receiver {
  /** Without a trailing slash. */
  readonly url: string;
  readonly received: Received[];
  /** Sets the responses from now on. */
  readonly answer: (handler: ReceiverHandler | ReceiverAnswer) => void;
  readonly close: () => Promise<void>;
}

/** Starts a server on this machine that closes with the test. */
export const startReceiver = async (
  first: ReceiverHandler | ReceiverAnswer = { status: 200 },
): Promise<Receiver> => {
  const receiver = await openReceiver(first);
  onTestFinished(receiver.close);
  return receiver;
};

/** The same for several tests. The caller closes it. */
const openReceiver = async (
  first: ReceiverHandler | ReceiverAnswer = { status: 200 },
): Promise<Receiver> => {
  let handler = asHandler(first);
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const taken = await take(request);
    if (!taken) return;
    received.push(taken);
    const answer = await handler(taken, received.length - 1);
    if (answer === 'hang') return;
    if (answer === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    const { body } = answer;
    const isText = body === undefined || typeof body === 'string';
    response.writeHead(answer.status, {
      ...(isText ? {} : { 'content-type': 'application/json' }),
      ...answer.headers,
    });
    response.end(isText ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (next) => {
      handler = asHandler(next);
    },
    close: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const asHandler = (answer: ReceiverHandler | ReceiverAnswer): ReceiverHandler =>
  typeof answer === 'function' ? answer : () => answer;

/** Undefined for a sender that disconnects before the end of its request. */
const take = async (request: IncomingMessage): Promise<Received | undefined> => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return undefined;
  }
  const bytes = Buffer.concat(chunks);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers,
    bytes,
    body: bytes.toString('utf8'),
  };
};
