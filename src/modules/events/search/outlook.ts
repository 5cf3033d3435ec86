import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { Filter } from './filter.ts';
import { has, textsOf, type Way } from './predicate.ts';
import type { Span } from './range.ts';

type Text = NonNullable<Filter['text']>;

/** What is to be expected of a text, before it is looked for. */
export interface Outlook {
  readonly way: Way;
  /** At least roughly; of a short place, as many as there are events. */
  readonly hits: number;
}

const samples = 100;

/**
 * The index reads every event that has all of the trigrams, and then each of their texts. Where these are many, it took
 * 1.7 s for a text without hits, and all texts in a row 0.3 s.
 */
const commonTexts = 0.1;
const mostTrigrams = 40;

/**
 * Of a long text so many trigrams are looked up. The index goes through the rarest, and asks each of the others for
 * every entry of it: of three common words in four million events all 15 took 566 ms, three of them 39.
 */
const enoughTrigrams = 4;

interface Trigram {
  readonly text: string;
  readonly at: number;
}

/** Three letters or digits in a row: what the index knows of a text. */
function trigramsOf(needle: string): Trigram[] {
  const letters = Array.from(needle);
  const windows = letters.map((_letter, at) => ({ text: letters.slice(at, at + 3).join(''), at }));
  const known = windows.filter(({ text }) => /^[\p{L}\p{N}]{3}$/u.test(text));
  return known
    .filter(({ text }, nth) => known.findIndex((other) => other.text === text) === nth)
    .slice(0, mostTrigrams);
}

interface Sample {
  readonly hit: boolean;
  /** Which of the trigrams stand in it. */
  readonly marks: readonly boolean[];
}

/** The rarest trigrams, from different places of the text where that is long enough: neighbours say the same. */
function chosenOf(trigrams: readonly Trigram[], rows: readonly Sample[]): number[] {
  const texts = trigrams.map((_, nth) => rows.filter(({ marks }) => marks[nth]).length);
  const rarest = trigrams.map((_, nth) => nth).sort((a, b) => (texts[a] ?? 0) - (texts[b] ?? 0));
  const apart: number[] = [];
  for (const nth of rarest) {
    const { at = 0 } = trigrams[nth] ?? {};
    if (apart.every((other) => Math.abs((trigrams[other]?.at ?? 0) - at) >= 3)) apart.push(nth);
  }
  const rest = rarest.filter((nth) => !apart.includes(nth));
  return [...apart, ...rest].slice(0, enoughTrigrams);
}

/** PostgreSQL knows these as letters and digits under every locale. */
const isPlain = ({ text }: Trigram) => /^[a-z0-9]+$/.test(text);

/** Looks at a few texts, evenly over the place. */
export async function lookAhead(
  db: Db,
  text: Text,
  { low, high }: Span,
  inRow: number,
): Promise<Outlook> {
  const size = high - low;
  if (size <= inRow) return { way: 'row', hits: size };
  const step = Math.max(1, size / samples);
  const ids = Array.from({ length: Math.min(size, samples) }, (_, nth) =>
    Math.ceil(low + 1 + nth * step),
  );
  const all = trigramsOf(text.needle);
  const plain = all.filter(isPlain);
  const trigrams = plain.length >= enoughTrigrams ? plain : all;
  const { rows } = await sql<Sample>`
    with sample as materialized (${textsOf(text.parts, sql`search`, sql`id = any(${ids}::bigint[])`)})
    select ${has('search', text.needle)} as hit, array(
      select strpos(search, trigram) > 0
      from unnest(${trigrams.map((trigram) => trigram.text)}::text[]) with ordinality own(trigram, nth)
      order by nth
    ) as marks
    from sample`.execute(db);
  const hits = (rows.filter(({ hit }) => hit).length / ids.length) * size;
  const chosen = chosenOf(trigrams, rows);
  const together = rows.filter(({ marks }) => chosen.every((nth) => marks[nth])).length;
  if (chosen.length === 0 || together >= ids.length * commonTexts) return { way: 'row', hits };
  const few = trigrams === plain && chosen.length < plain.length;
  return { way: few ? chosen.map((nth) => trigrams[nth]?.text ?? '') : [text.needle], hits };
}
