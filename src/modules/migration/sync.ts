import { isDeepStrictEqual } from 'node:util';
import type { Installation } from './document.ts';
import { newestEvent, overlap, readEventsAfter } from './history/read.ts';
import type { ReadingClient } from './unleash/client.ts';
import { type Reading, readAgain, readEverything } from './unleash/read.ts';
import { readEnvironments } from './unleash/read-catalogue.ts';
import type { Progress } from './unleash/read-features.ts';
import { type Scope, scopeOf } from './unleash/scope.ts';

/** After this time everything is read again, should an event have been missed nevertheless. */
const trustMs = 60 * 60 * 1000;

export interface SourceSync {
  /** Undefined if nothing has been recorded since the last reading that was used. */
  readonly look: () => Promise<Installation | undefined>;
  /** The last reading has been brought over. */
  readonly used: () => void;
}

/** Follows another installation: reads everything once, and then what the new events are about. */
export function createSync(
  client: ReadingClient,
  progressOf: () => Progress,
  clock: () => Date,
): SourceSync {
  let last: { reading: Reading; completeAt: Date } | undefined;
  let isUsed = false;
  let seen = 0;
  let known: ReadonlySet<number> = new Set();

  const readRecent = (newest: number) =>
    readEventsAfter(client, Math.max(0, Math.min(seen, newest) - overlap));
  const idsOf = (events: readonly { readonly id: number }[]) => new Set(events.map(({ id }) => id));

  return {
    async look() {
      const newest = await newestEvent(client);
      // The open-source edition does not record that an environment is switched on or off.
      const isSwitched =
        last !== undefined &&
        !isDeepStrictEqual(await readEnvironments(client), last.reading.installation.environments);
      if (last && newest === seen && !isSwitched) {
        return isUsed ? undefined : last.reading.installation;
      }
      if (!last) seen = newest;
      const recent = await readRecent(newest);
      const fresh = recent.filter(({ id }) => !known.has(id));
      const now = clock();
      const isTrusted = last !== undefined && now.getTime() - last.completeAt.getTime() < trustMs;
      const scope: Scope = isTrusted && !isSwitched ? scopeOf(fresh) : 'everything';
      const progress = progressOf();
      last = last
        ? {
            reading: await readAgain(client, last.reading, scope, progress, now),
            completeAt: scope === 'everything' ? now : last.completeAt,
          }
        : { reading: await readEverything(client, progress, now), completeAt: now };
      [seen, known] = [newest, idsOf(recent)];
      if (fresh.length > 0 || isSwitched) isUsed = false;
      return isUsed ? undefined : last.reading.installation;
    },
    used: () => {
      isUsed = true;
    },
  };
}
