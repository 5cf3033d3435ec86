import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

export interface Receiver {
  readonly raw: ServerResponse;
  /** Who leaves more than this unread is cut off, and begins anew when it comes again. */
  readonly patienceBytes: number;
}

interface Broadcast {
  /** Writes the same bytes to each of them, behind all that was sent before. */
  readonly send: (frame: Buffer, to: Iterable<Receiver>) => Promise<void>;
  readonly end: (to: Iterable<Receiver>) => Promise<void>;
}

/** So many are written to, 5 ms at 20 µs each, before others have their turn. */
const batchSize = 250;

function deliver({ raw, patienceBytes }: Receiver, frame: Buffer | undefined): void {
  if (raw.destroyed || raw.writableEnded) return;
  if (frame === undefined) raw.end();
  else if (raw.writableLength > patienceBytes) raw.destroy();
  // Past the response, which has nothing to add: its head went out with the first words. A fifth less for each. One
  // that waits for its turn on a connection has no socket yet.
  else if (raw.socket) raw.socket.write(frame);
  else raw.write(frame);
}

/** One after the other: what is sent later arrives later, at each of them. */
export function createBroadcast(): Broadcast {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  async function deliverAll(to: readonly Receiver[], frame: Buffer | undefined): Promise<void> {
    for (let at = 0; at < to.length; at += batchSize) {
      if (at > 0) await setImmediate();
      for (const receiver of to.slice(at, at + batchSize)) deliver(receiver, frame);
    }
  }

  function enqueue(receivers: Iterable<Receiver>, frame?: Buffer): Promise<void> {
    const to = [...receivers];
    waiting += 1;
    // Nobody waits for a turn that is theirs already.
    const turn = waiting === 1 ? deliverAll(to, frame) : last.then(() => deliverAll(to, frame));
    last = turn.finally(() => {
      waiting -= 1;
    });
    return last;
  }

  return { send: (frame, to) => enqueue(to, frame), end: (to) => enqueue(to) };
}
