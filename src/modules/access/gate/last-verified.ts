import { setTimeout as pause } from 'node:timers/promises';
import type { Believed } from './credentials.ts';

/**
 * API tokens as they were when the database last spoke of them, for the time in which it cannot be asked. Each
 * notice that some of them changed casts doubt on all of them: they are looked up again at once, by one statement, and
 * until then none is believed. So a token that was revoked before an outage is not believed during it.
 */
export interface LastVerified {
  /** A mark for a look-up that begins: what is found counts only if no notice comes before its end. */
  readonly begin: () => number;
  readonly note: (key: string, found: Believed | undefined, begun: number) => void;
  readonly find: (key: string) => Believed | undefined;
  readonly doubt: () => void;
}

interface Verified {
  readonly believed: Believed;
  readonly tokenId: number;
  readonly asOf: number;
  /** By a clock that nobody sets. */
  readonly atMs: number;
}

/**
 * Longer than this after it was verified nobody is believed. Twice a day: whoever came in the last day before an
 * outage is let in during the first day of it.
 */
const longestMs = 48 * 3_600_000;
export const maxTokens = 10_000;
/**
 * Where notices come one after the other, the database is busy with this for a tenth of the time at most. Soon
 * enough: an instance hears of its own changes twice, by its commit and by the notice that follows.
 */
const pauseShare = 10;
const shortestPauseMs = 50;

/** The id of the API token that somebody came with; people and their tokens need the database anyway. */
const tokenIdOf = ({ identity, seen }: Believed): number | undefined =>
  identity.reach ? seen[0]?.id : undefined;

export function createLastVerified(
  lookUp: (ids: readonly number[]) => Promise<ReadonlyMap<number, Believed>>,
): LastVerified {
  const verified = new Map<string, Verified>();
  /** How many notices came. */
  let notices = 0;
  let lookedAsOf = 0;
  let looking = false;

  function remember(key: string, believed: Believed, tokenId: number, asOf: number): void {
    // Behind the others: the one that was verified longest ago is forgotten first.
    verified.delete(key);
    verified.set(key, { believed, tokenId, asOf, atMs: performance.now() });
    if (verified.size <= maxTokens) return;
    for (const oldest of verified.keys()) {
      verified.delete(oldest);
      return;
    }
  }

  async function lookAgain(): Promise<void> {
    const asOf = notices;
    const before = [...verified];
    const found = await lookUp([...new Set(before.map(([, { tokenId }]) => tokenId))]);
    for (const [key, each] of before) {
      // Somebody may have come with it meanwhile, and have been told more.
      if (verified.get(key) !== each) continue;
      const believed = found.get(each.tokenId);
      if (believed) remember(key, believed, each.tokenId, asOf);
      else verified.delete(key);
    }
    lookedAsOf = asOf;
  }

  async function lookUntilSure(): Promise<void> {
    looking = true;
    while (lookedAsOf !== notices && verified.size > 0) {
      const began = performance.now();
      // What cannot be looked up stays in doubt; a notice follows when the database is back.
      const isSure = await lookAgain().then(
        () => true,
        () => false,
      );
      if (!isSure) break;
      const pauseMs = Math.max(shortestPauseMs, pauseShare * (performance.now() - began));
      await pause(pauseMs, undefined, { ref: false });
    }
    looking = false;
  }

  return {
    begin: () => notices,
    note(key, found, begun) {
      const tokenId = found && tokenIdOf(found);
      if (!found || tokenId === undefined) verified.delete(key);
      else remember(key, found, tokenId, begun);
    },
    find(key) {
      const known = verified.get(key);
      if (!known || known.asOf !== notices) return undefined;
      return performance.now() - known.atMs <= longestMs ? known.believed : undefined;
    },
    doubt() {
      notices += 1;
      if (!looking && verified.size > 0) void lookUntilSure();
    },
  };
}
