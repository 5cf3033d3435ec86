import { type Fault, invalidOperation } from './errors.ts';
import { createSlices } from './slices.ts';

/**
 * The maximum characters of one object in an event's data or preData, so that a page of 1,000 such events can be sent.
 */
const maxOfOne = 128 * 1024;

/** The maximum characters that one transaction may write. Its events contain them twice more, in one statement. */
const maxOfAll = 32 * 1024 * 1024;

/** The maximum characters in one statement. More takes over 20 ms to serialise as JSON. */
const maxOfPortion = 2 * 1024 * 1024;

const charactersOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

export const volumeFaults = (value: unknown, path: string): Fault[] => {
  const characters = charactersOf(value);
  return characters > maxOfOne
    ? [
        {
          path,
          message: `${path} has ${characters} characters; at most ${maxOfOne} are allowed`,
        },
      ]
    : [];
};

/** Refuses more than one transaction may write. Copies are refused before they are read. */
export function refuseLargeTransaction(characters: number): void {
  if (characters <= maxOfAll) return;
  throw invalidOperation(
    `This would write more than ${maxOfAll} characters at once. Split it into several requests`,
  );
}

/**
 * Splits items into portions that fit one statement, so that serialising none of them blocks other requests. Refuses
 * items that are together too large for one transaction.
 */
export async function inPortions<Thing>(
  things: readonly Thing[],
  contentOf: (thing: Thing) => unknown,
): Promise<Thing[][]> {
  const slices = createSlices();
  const portions: Thing[][] = [];
  let portion: Thing[] = [];
  let inPortion = 0;
  let characters = 0;
  for (const thing of things) {
    const own = charactersOf(contentOf(thing));
    characters += own;
    refuseLargeTransaction(characters);
    if (inPortion + own > maxOfPortion || portion.length === 0) {
      portion = [];
      portions.push(portion);
      inPortion = 0;
    }
    portion.push(thing);
    inPortion += own;
    if (slices.isOver()) await slices.pause();
  }
  return portions;
}
