import { connect } from 'node:net';

/** Messages to a child process of `rows/streaming.ts`: open streams, or report arrivals. */
export type StreamsQuestion =
  | { readonly open: number; readonly url: string; readonly token: string }
  | 'arrivals';

/** When data arrived on each stream since the previous question. */
export interface Arrivals {
  readonly streams: number;
  readonly at: readonly number[];
}

/** More at a time would only wait in the server's accept queue. */
const opening = 100;
const news = Buffer.from('unleash-updated');
const endOfFrame = Buffer.from('\n\n');

let streams = 0;
let at: number[] = [];

/** One buffer for all connections: data is processed before more arrives. */
const room = Buffer.alloc(256 * 1024);

/**
 * Opens a stream. Resolves with the first frame, when the client has everything. Reads from the socket: Node's client
 * took twice as long for a frame as the server, on the same two cores.
 */
const follow = ({ hostname, port }: URL, token: string) =>
  new Promise<void>((resolve, reject) => {
    let head = '';
    let begun = false;
    const heard = (length: number) => {
      const chunk = room.subarray(0, length);
      // Heartbeats only keep the connection open.
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
