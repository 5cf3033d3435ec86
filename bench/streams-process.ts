import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Messages to a child process of `rows/streaming.ts`: open streams, or report arrivals. */
export type StreamsQuestion =
  | { readonly open: number; readonly url: string; readonly token: string }
  /** Closes all streams at once. */
  | 'close'
  /** Opens as many as were closed, all at once; each tells the last state that it had. */
  | { readonly reopen: true; readonly url: string; readonly token: string }
  | 'arrivals';

/** When data arrived on each stream since the previous question. */
export interface Arrivals {
  readonly streams: number;
  readonly at: readonly number[];
}

/** The result of opening all streams again. */
export interface Reopened {
  readonly streams: number;
  readonly failures: number;
  /** Those that got everything instead of the changes. */
  readonly hydrated: number;
}

let closed = 0;

/** More at a time would only wait in the server's accept queue. */
const opening = 100;
const news = Buffer.from('unleash-updated');
const everything = Buffer.from('unleash-connected');
const idLine = /\nid: ?([^\n]+)\n/;
const endOfFrame = Buffer.from('\n\n');

let streams = 0;
let at: number[] = [];
/** The id of the last event, the same for all streams. */
let lastId: string | undefined;
const sockets = new Set<Socket>();
/** How the streams were answered that were opened again. */
let hydrated = 0;

/** One buffer for all connections: data is processed before more arrives. */
const room = Buffer.alloc(256 * 1024);

/**
 * Opens a stream. Resolves with the first frame, when the client has everything. Reads from the socket: Node's client
 * took twice as long for a frame as the server, on the same two cores.
 */
const follow = ({ hostname, port }: URL, token: string, knownId?: string) =>
  new Promise<void>((resolve, reject) => {
    let head = '';
    let begun = false;
    const heard = (length: number) => {
      const chunk = room.subarray(0, length);
      // Heartbeats only keep the connection open.
      if (begun) {
        if (chunk.includes(news)) {
          at.push(Date.now());
          lastId = idLine.exec(chunk.toString())?.[1] ?? lastId;
        }
        return true;
      }
      head += chunk;
      if (!head.startsWith('HTTP/1.1 200')) reject(new Error(`a stream was answered with ${head}`));
      const body = head.indexOf('\r\n\r\n') + 4;
      const isWhole =
        body > 4 && head.includes('data:', body) && chunk.subarray(-2).equals(endOfFrame);
      if (isWhole) {
        begun = true;
        streams += 1;
        if (knownId === undefined) lastId = idLine.exec(head)?.[1] ?? lastId;
        else if (head.includes(everything.toString())) hydrated += 1;
        resolve();
      }
      return true;
    };
    const socket = connect({
      ...{ host: hostname, port: Number(port) },
      onread: { buffer: room, callback: heard },
    });
    sockets.add(socket);
    socket.on('error', reject);
    socket.on('close', () => {
      sockets.delete(socket);
      if (begun) streams -= 1;
    });
    socket.write(
      `GET /api/client/streaming HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${token}\r\n` +
        `accept: text/event-stream\r\n${knownId === undefined ? '' : `last-event-id: ${knownId}\r\n`}\r\n`,
    );
  });

/** Tries again after a second, as SDKs do. Returns the failures. */
async function reopen(count: number, url: string, token: string): Promise<number> {
  let failures = 0;
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (;;) {
        const isOpen = await follow(new URL(url), token, lastId).then(
          () => true,
          () => false,
        );
        if (isOpen) return;
        failures += 1;
        await sleep(1_000);
      }
    }),
  );
  return failures;
}

async function open(count: number, url: string, token: string): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: opening }, async () => {
      while (left > 0) {
        left -= 1;
        await follow(new URL(url), token);
      }
    }),
  );
}

process.on('message', async (question: StreamsQuestion) => {
  if (question === 'arrivals') {
    process.send?.({ streams, at } satisfies Arrivals);
    at = [];
    return;
  }
  if (question === 'close') {
    closed = sockets.size;
    for (const socket of sockets) socket.destroy();
    process.send?.({});
    return;
  }
  if ('reopen' in question) {
    const failures = await reopen(closed, question.url, question.token);
    process.send?.({ streams, failures, hydrated } satisfies Reopened);
    return;
  }
  const failure = await open(question.open, question.url, question.token).then(
    () => undefined,
    (error: Error) => error.message,
  );
  process.send?.({ failure });
});
process.on('disconnect', () => process.exit());
