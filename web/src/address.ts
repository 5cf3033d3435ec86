import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

/**
 * What a parameter of an address says. A text that only looks like a number stays as it was typed: 1.10 is a version,
 * and 1e5 may be the name of a feature.
 */
function readParameter(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (value === null || (typeof value === 'number' && String(value) !== text)) return text;
  return value;
}

export const readAddress = parseSearchWith(readParameter);

/** Quotes what would otherwise be read as something else than the text that it is. */
export const writeAddress = stringifySearchWith(JSON.stringify, (text) => {
  if (readParameter(text) === text) throw new Error('No quotes needed');
  return undefined;
});
