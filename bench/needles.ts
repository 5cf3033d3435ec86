import { inventWords } from './vocabulary.ts';

/** A text to search for, and the exact number of generated events that contain it. */
export interface Needle {
  readonly query: string;
  readonly hits: number;
  /** Evenly over the whole log, or all in its oldest twentieth. */
  readonly spread: 'even' | 'old';
}

export interface Needles {
  /** In every event. */
  readonly every: Needle;
  /** Many of each kind, so that no measurement searches for the same one twice. */
  readonly thousand: readonly Needle[];
  readonly twenty: readonly Needle[];
  readonly none: readonly Needle[];
  /** Each of its trigrams occurs in every event, the whole text in none. */
  readonly hardNone: Needle;
  readonly twoCharacters: readonly Needle[];
  readonly oneCharacter: readonly Needle[];
  /** Texts with non-ASCII characters, in another case than stored, or with characters that JSON escapes. */
  readonly awkward: readonly Needle[];
}

/** The text that is written into the events of a needle. */
interface Planting extends Needle {
  readonly written: string;
}

const counts = { thousand: 60, twenty: 240, none: 240 };
const oldPart = 20;
const seeds = { thousand: 1_000, twenty: 20, none: 404 };

const windowOf = (spread: Needle['spread'], events: number) =>
  spread === 'old' ? Math.floor(events / oldPart) : events;

const planting = (
  events: number,
  query: string,
  wanted: number,
  spread: Needle['spread'],
  written = query,
): Planting => ({ query, written, spread, hits: Math.min(wanted, windowOf(spread, events)) });

/** Every third word occurs only in the oldest events: a scan from the newest finds nothing. */
const family = (events: number, words: readonly string[], wanted: number) =>
  words.map((word, index) => planting(events, word, wanted, index % 3 === 2 ? 'old' : 'even'));

function plan(events: number) {
  const thousandWords = inventWords(counts.thousand, seeds.thousand, new Set());
  const twentyWords = inventWords(counts.twenty, seeds.twenty, new Set(thousandWords));
  const noneWords = inventWords(
    counts.none,
    seeds.none,
    new Set([...thousandWords, ...twentyWords]),
  );
  return {
    thousand: family(events, thousandWords, 1_000),
    twenty: family(events, twentyWords, 20),
    none: noneWords.map((word) => planting(events, word, 0, 'even')),
    twoCharacters: [
      planting(events, 'zx', 7, 'even'),
      planting(events, 'qj', 5, 'old'),
      planting(events, 'xk', 9, 'even'),
      planting(events, 'vq', 3, 'old'),
      planting(events, '日本', 11, 'even'),
      planting(events, '🚦🚧', 20, 'old'),
    ],
    oneCharacter: [planting(events, '§', 6, 'even'), planting(events, '¤', 4, 'old')],
    awkward: [
      planting(events, 'größenordnung', 20, 'even', 'Größenordnung'),
      planting(events, 'HAUPTSTRASSE', 20, 'old', 'Hauptstraße'),
      planting(events, 'οδοσ', 20, 'even', 'ΟΔΟΣ'),
      planting(events, 'проверка', 1_000, 'even', 'Проверка'),
      planting(events, '変更管理', 20, 'even'),
      planting(events, 'said "go live"', 20, 'even'),
      planting(events, '100%_sure\\yes', 20, 'even'),
    ],
  };
}

/** Returns the needles of a log with this many generated events. They depend on the number alone. */
export const needlesOf = (events: number): Needles => ({
  ...plan(events),
  every: { query: 'release', hits: events, spread: 'even' },
  hardNone: { query: 'release-release', hits: 0, spread: 'even' },
});

/** Returns which texts go into which event, counted from 0. */
export function placementsOf(events: number): ReadonlyMap<number, string> {
  const { thousand, twenty, twoCharacters, oneCharacter, awkward } = plan(events);
  const placements = new Map<number, string>();
  const all = [...thousand, ...twenty, ...twoCharacters, ...oneCharacter, ...awkward];
  all.forEach(({ written, hits, spread }, nth) => {
    const step = windowOf(spread, events) / hits;
    // Shifts each needle by a part of a step, so that they are not all in the same events.
    const shift = (nth * 0.618) % 1;
    for (let hit = 0; hit < hits; hit += 1) {
      const position = Math.floor((hit + shift) * step);
      const before = placements.get(position);
      placements.set(position, before === undefined ? written : `${before} ${written}`);
    }
  });
  return placements;
}
