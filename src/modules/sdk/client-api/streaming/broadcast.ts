import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

export interface StreamConnection {
  readonly raw: ServerResponse;
  /** A client that leaves more than this unread is cut off, and begins anew when it connects again. */
  readonly patienceBytes: number;
}

interface Broadcast {
  /** Writes the same bytes to each of them, after all that was sent before. */
  readonly send: (frame: Buffer, to: Iterable<StreamConnection>) => Promise<void>;
  readonly end: (to: Iterable<StreamConnection>) => Promise<void>;
}

/** So many are written to at once, 5 ms at 20 µs each, before other requests have their turn. */
const batchSize = 250;

function deliver({ raw, patienceBytes }: StreamConnection, frame: Buffer | undefined): void {
  if (raw.destroyed || raw.writableEnded) return;
  if (frame === undefined) raw.end();
  else if (raw.writableLength > patienceBytes) raw.destroy();
  // To the socket and not to the response, which takes a fifth less: the head went out with the first event. A
  // response that waits for its turn on a connection has no socket yet.
  else if (raw.socket) raw.socket.write(frame);
  else raw.write(frame);
}

/** One frame after the other: what is sent later arrives later, at each connection. */
export function createBroadcast(): Broadcast {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  async function deliverAll(
    to: readonly StreamConnection[],
    frame: Buffer | undefined,
  ): Promise<void> {
    for (let at = 0; at < to.length; at += batchSize) {
      if (at > 0) await setImmediate();
      for (const receiver of to.slice(at, at + batchSize)) deliver(receiver, frame);
    }
  }

  function enqueue(receivers: Iterable<StreamConnection>, frame?: Buffer): Promise<void> {
    const to = [...receivers];
    waiting += 1;
    // Where nothing is being sent it begins at once.
    const turn = waiting === 1 ? deliverAll(to, frame) : last.then(() => deliverAll(to, frame));
    last = turn.finally(() => {
      waiting -= 1;
    });
    return last;
  }

  return { send: (frame, to) => enqueue(to, frame), end: (to) => enqueue(to) };
}
