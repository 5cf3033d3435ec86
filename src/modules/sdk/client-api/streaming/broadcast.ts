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
  /** Ends each connection, after all earlier frames and last words of its own. */
  readonly end: (to: Iterable<StreamConnection>, lastWords?: () => string) => Promise<void>;
}

/** How many connections are written to before other requests are served: 5 ms at 20 µs each. */
const batchSize = 250;

type Deliver = (connection: StreamConnection) => void;

const isOpen = ({ raw }: StreamConnection): boolean => !raw.destroyed && !raw.writableEnded;

function write({ raw, patienceBytes }: StreamConnection, frame: Buffer): void {
  if (raw.writableLength > patienceBytes) raw.destroy();
  // Writes to the socket, which takes a fifth less than writing to the response: the head was sent with the first
  // event. A pipelined response that waits for its turn has no socket yet.
  else if (raw.socket) raw.socket.write(frame);
  else raw.write(frame);
}

/** Sends one frame at a time, so that frames arrive in order on each connection. */
export function createBroadcast(): Broadcast {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  async function deliverAll(to: readonly StreamConnection[], deliver: Deliver): Promise<void> {
    for (let at = 0; at < to.length; at += batchSize) {
      if (at > 0) await setImmediate();
      for (const each of to.slice(at, at + batchSize)) if (isOpen(each)) deliver(each);
    }
  }

  function enqueue(receivers: Iterable<StreamConnection>, deliver: Deliver): Promise<void> {
    const to = [...receivers];
    waiting += 1;
    // Starts at once if nothing is being sent.
    const turn = waiting === 1 ? deliverAll(to, deliver) : last.then(() => deliverAll(to, deliver));
    last = turn.finally(() => {
      waiting -= 1;
    });
    return last;
  }

  return {
    send: (frame, to) => enqueue(to, (each) => write(each, frame)),
    end: (to, lastWords = () => '') => enqueue(to, ({ raw }) => raw.end(lastWords())),
  };
}
