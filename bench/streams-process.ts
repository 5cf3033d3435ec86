import { connect } from 'node:net';

/** What a child of `rows/streaming.ts` is asked for: to open streams, or to tell what has come. */
export type StreamsQuestion =
  | { readonly open: number; readonly url: string; readonly token: string }
  | 'arrivals';

/** Instants at which something came through each of the streams since it was asked before. */
export interface Arrivals {
  readonly streams: number;
  readonly at: readonly number[];
}

/** More at a time would only wait in the server's queue of connections. */
const opening = 100;
const news = Buffer.from('unleash-updated');
const endOfFrame = Buffer.from('\n\n');

let streams = 0;
let at: number[] = [];

/** One for all: what has come is looked at, and gone, before anything else comes. */
const room = Buffer.alloc(256 * 1024);

/**
 * Resolves with the first frame: then the client has everything. Read from the connection itself: the client of Node
 * took twice as long for a frame as the server, on the same two cores.
 */
const follow = ({ hostname, port }: URL, token: string) =>
  new Promise<void>((resolve, reject) => {
    let head = '';
    let begun = false;
    const heard = (length: number) => {
      const chunk = room.subarray(0, length);
      // What is no news only keeps the connection open.
      if (begun) {
        if (chunk.includes(news)) at.push(Date.now());
        return true;
      }
      head += chunk;
      if (!head.startsWith('HTTP/1.1 200')) reject(new Error(`a stream was answered with ${head}`));
      const body = head.indexOf('\r\n\r\n') + 4;
      if (body > 4 && head.includes('data:', body) && chunk.subarray(-2).equals(endOfFrame)) {
        begun = true;
        streams += 1;
        resolve();
      }
      return true;
    };
    const socket = connect({
      ...{ host: hostname, port: Number(port) },
      onread: { buffer: room, callback: heard },
    });
    socket.on('error', reject);
    socket.on('close', () => {
      if (begun) streams -= 1;
    });
    socket.write(
      `GET /api/client/streaming HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${token}\r\n` +
        'accept: text/event-stream\r\n\r\n',
    );
  });

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
  const failure = await open(question.open, question.url, question.token).then(
    () => undefined,
    (error: Error) => error.message,
  );
  process.send?.({ failure });
});
process.on('disconnect', () => process.exit());
