import type { Json } from '../proof/canonical.ts';
import { fold, separator } from './fold.ts';

/** Keys and values that JSON spells differently from what a person would type. */
function* escapedStrings(value: Json): Generator<string> {
  if (typeof value === 'string') {
    if (JSON.stringify(value).length !== value.length + 2) yield value;
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (!Array.isArray(value)) yield* escapedStrings(key);
      yield* escapedStrings(item);
    }
  }
}

/**
 * The text that queries search: the compact JSON, followed by every string that JSON had to escape, so that `say "big"`
 * is found as typed.
 */
export const searchText = (value: Json): string =>
  [JSON.stringify(value), ...escapedStrings(value)].map(fold).join(separator);
