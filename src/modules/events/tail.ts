import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '../../platform/module.ts';
import type { Shown } from './event-json.ts';
import { type Filter, matchesNothing } from './filter.ts';
import { readStretch } from './search/stretch.ts';

/** The channel on which `append_events` says that there is something new. */
const channel = 'burgee_events';

/** A comment line this often keeps proxies from closing a quiet connection. */
const heartbeatMs = 15_000;

/** A notification can be lost with its connection; looking now and then makes that harmless. */
const lookAgainMs = 5_000;

const idOf = (json: string): string => /^\{"id":(\d+)/.exec(json)?.[1] ?? '';

const frame = (json: string) => `id: ${idOf(json)}\nevent: event\ndata: ${json}\n\n`;

/**
 * Follows the log from behind an id, for ever. Nothing is missed or sent twice, whichever instance
 * wrote it: commit order is id order, so what is behind the last id seen is all there is to come.
 */
export function tailEvents(
  services: Pick<Services, 'searchDb' | 'listener' | 'stopping'>,
  filter: Filter,
  shown: Shown,
  start: number,
): Readable {
  const { searchDb, listener, stopping } = services;
  const ended = new AbortController();
  const news = new EventTarget();
  let heard = false;
  const unlisten = listener.on(channel, () => {
    heard = true;
    news.dispatchEvent(new Event('news'));
  });

  async function* frames() {
    let after = start;
    let quietSince = Date.now();
    yield `retry: 1000\n: following behind ${after}\n\n`;
    while (!stopping.aborted && !ended.signal.aborted) {
      heard = false;
      const stretch = matchesNothing(filter)
        ? { lines: '', upTo: after, head: after }
        : await readStretch(searchDb, filter, shown, after);
      after = stretch.upTo;
      if (stretch.lines) {
        yield stretch.lines.split('\n').map(frame).join('');
        quietSince = Date.now();
      } else if (Date.now() - quietSince >= heartbeatMs) {
        yield `: ${after}\n\n`;
        quietSince = Date.now();
      }
      if (after < stretch.head || heard) continue;
      const waiting = new AbortController();
      const signal = AbortSignal.any([waiting.signal, stopping, ended.signal]);
      await Promise.race([
        once(news, 'news', { signal }),
        delay(lookAgainMs, undefined, { signal }),
      ]).catch(() => undefined);
      waiting.abort();
    }
  }

  const stream = Readable.from(frames(), { objectMode: false, highWaterMark: 64 * 1024 });
  stream.on('close', () => {
    ended.abort();
    unlisten();
  });
  return stream;
}
