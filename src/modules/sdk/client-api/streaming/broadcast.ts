import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

export interface StreamConnection {
  readonly raw: ServerResponse;
  /** A client with more unread bytes than this is disconnected, and starts again when it reconnects. */
  readonly patienceBytes: number;
}

interface Broadcast {
  /** Writes the same bytes to each connection, after all earlier frames. */
  readonly send: (frame: Buffer, to: Iterable<StreamConnection>) => Promise<void>;
  readonly end: (to: Iterable<StreamConnection>) => Promise<void>;
}

/** How many connections are written to before other requests are served: 5 ms at 20 µs each. */
const batchSize = 250;

function deliver({ raw, patienceBytes }: StreamConnection, frame: Buffer | undefined): void {
  if (raw.destroyed || raw.writableEnded) return;
  if (frame === undefined) raw.end();
  else if (raw.writableLength > patienceBytes) raw.destroy();
  // Writes to the socket, which takes a fifth less than writing to the response: the head was sent with the first
  // event. A pipelined response that waits for its turn has no socket yet.
  else if (raw.socket) raw.socket.write(frame);
  else raw.write(frame);
}

/** Sends one frame at a time, so that frames arrive in order on each connection. */
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
    // Starts at once if nothing is being sent.
    const turn = waiting === 1 ? deliverAll(to, frame) : last.then(() => deliverAll(to, frame));
    last = turn.finally(() => {
      waiting -= 1;
    });
    return last;
  }

  return { send: (frame, to) => enqueue(to, frame), end: (to) => enqueue(to) };
}
