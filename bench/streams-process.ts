import { Agent, get } from 'node:http';

/** What a child of `rows/streaming.ts` is asked for: to open streams, or to tell what has come. */
export type StreamsQuestion =
  | { readonly open: number; readonly url: string; readonly token: string }
  | 'arrivals';

/** Instants at which something came through each of the streams since it was asked before. */
export interface Arrivals {
  readonly streams: number;
  readonly at: readonly number[];
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
/** More at a time would only wait in the server's queue of connections. */
const opening = 100;

let streams = 0;
let at: number[] = [];

/** Resolves with the first frame: then the client has everything. */
const follow = (url: string, token: string) =>
  new Promise<void>((resolve, reject) => {
    const headers = { authorization: token, accept: 'text/event-stream' };
    get(`${url}/api/client/streaming`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`a stream was answered with ${response.statusCode}`));
        return;
      }
      streams += 1;
      response.once('data', () => {
        resolve();
        response.on('data', (chunk: Buffer) => {
          // What is no news only keeps the connection open.
          if (chunk.includes('unleash-updated')) at.push(Date.now());
        });
      });
      response.on('close', () => {
        streams -= 1;
      });
      response.on('error', () => undefined);
    }).on('error', reject);
  });

async function open(count: number, url: string, token: string): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: opening }, async () => {
      while (left > 0) {
        left -= 1;
        await follow(url, token);
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
