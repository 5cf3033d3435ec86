import { Readable } from 'node:stream';
import type { Services } from '../../platform/module.ts';
import type { Shown } from './event-json.ts';
import { type Filter, matchesNothing } from './filter.ts';
import { accessChannel } from './following.ts';
import { readStretch } from './search/stretch.ts';

/** The channel on which `append_events` says that there is something new. */
export const eventsChannel = 'burgee_events';

/** A sign of life this often keeps proxies from closing a quiet connection. */
const heartbeatMs = 15_000;

/** A notification can be lost with its connection; looking now and then makes that harmless. */
const lookAgainMs = 5_000;

/** Then the follower comes again, and has to show a token that is still valid. */
const longestMs = 10 * 60_000;

const idOf = (json: string): string => /^\{"id":(\d+)/.exec(json)?.[1] ?? '';

const frame = (json: string) => `id: ${idOf(json)}\nevent: event\ndata: ${json}\n\n`;

/** An id without data is no event, but the place from which a client resumes. */
const placeMark = (id: number) => `id: ${id}\n\n`;

interface Tail {
  readonly stream: Readable;
  /** Ends it at once, also while it waits for something to happen. */
  readonly end: () => void;
}

/**
 * Follows the log from behind an id. Nothing is missed or sent twice, whichever instance wrote it:
 * commit order is id order, so what is behind the last id seen is all there is to come.
 */
export function tailEvents(
  services: Pick<Services, 'searchDb' | 'listener' | 'stopping' | 'clock'>,
  filter: Filter,
  shown: Shown,
  start: number,
  stillAllowed: () => Promise<boolean> = async () => true,
): Tail {
  const { searchDb, listener, stopping, clock } = services;
  let ended = stopping.aborted;
  let heard = false;
  let wake = () => {};
  const unlisten = listener.on(eventsChannel, () => {
    heard = true;
    wake();
  });
  let doubted = false;
  const unlistenAccess = listener.on(accessChannel, () => {
    doubted = true;
    wake();
  });
  const end = () => {
    ended = true;
    wake();
  };
  stopping.addEventListener('abort', end);

  const waitForNews = () =>
    new Promise<void>((resume) => {
      const timer = setTimeout(resume, lookAgainMs);
      wake = () => {
        clearTimeout(timer);
        resume();
      };
    });

  async function* frames() {
    try {
      const began = clock().getTime();
      let quietSince = began;
      let after = start;
      yield `retry: 1000\n: following behind ${after}\n${placeMark(after)}`;
      while (!ended && clock().getTime() - began < longestMs) {
        heard = false;
        if (doubted) {
          doubted = false;
          if (!(await stillAllowed())) break;
        }
        const stretch = matchesNothing(filter)
          ? { lines: '', upTo: after, head: after }
          : await readStretch(searchDb, filter, shown, after);
        after = stretch.upTo;
        const now = clock().getTime();
        if (stretch.lines) yield stretch.lines.split('\n').map(frame).join('');
        else if (now - quietSince >= heartbeatMs) yield placeMark(after);
        else if (after === stretch.head && !heard && !doubted && !ended) await waitForNews();
        if (stretch.lines || now - quietSince >= heartbeatMs) quietSince = now;
      }
      yield placeMark(after);
    } finally {
      unlisten();
      unlistenAccess();
      stopping.removeEventListener('abort', end);
    }
  }

  return { stream: Readable.from(frames(), { highWaterMark: 1 }), end };
}
