import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The counts of a receiver that accepts everything, and answers unless told to hang. It runs in a separate process, so
 * that deliveries do not disturb the measurement of requests.
 */
export interface Tally {
  readonly count: number;
  /** From the instant in each event to its arrival. */
  readonly afterMs: readonly number[];
}

let count = 0;
let hangs = false;
let afterMs: number[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const now = Date.now();
    count += 1;
    const [, createdAt = ''] = /"createdAt":"([^"]+)"/.exec(Buffer.concat(chunks).toString()) ?? [];
    afterMs.push(now - Date.parse(createdAt));
    if (!hangs) response.writeHead(200).end();
  });
}).listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});

process.on('message', (wish: 'tally' | 'hang' | 'answer') => {
  if (wish !== 'tally') {
    hangs = wish === 'hang';
    return;
  }
  process.send?.({ count, afterMs } satisfies Tally);
  afterMs = [];
});
process.on('disconnect', () => process.exit());
