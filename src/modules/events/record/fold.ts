/** Separates the texts of one event. Folding replaces it in every text and every query. */
export const separator = '\u{10FFFF}';

const foldLetter = (letter: string) =>
  letter === separator ? '\u{10FFFE}' : letter.toUpperCase().toLowerCase();

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ascii = /^[\x00-\x7f]*$/;

/**
 * Makes texts equal that differ only in case. It works letter by letter, so that a part of a text folds as it does
 * inside the whole (`'ΟΔΟΣ'.toLowerCase()` ends in ς, but ΟΔΟΣΑ has σ there). It goes through upper case, so that ß
 * finds SS.
 */
export const fold = (text: string): string =>
  ascii.test(text) ? text.toLowerCase() : Array.from(text, foldLetter).join('');
