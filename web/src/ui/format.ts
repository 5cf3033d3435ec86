/** The reader's own English, where the browser has one: words, numbers and dates of one sentence are in one language. */
export const englishOf = (languages: readonly string[]): string =>
  languages.find((language) => /^en(-|$)/i.test(language)) ?? 'en-US';

/** The only locale of the UI. Only this file and dates.ts use `Intl`. */
export const locale = englishOf(globalThis.navigator?.languages ?? []);

const numbers = new Intl.NumberFormat(locale);
const oneDecimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const plurals = new Intl.PluralRules(locale);

/** "1,204". */
export const numberText = (value: number): string => numbers.format(value);

/** "1.5". */
export const decimalText = (value: number): string => oneDecimal.format(value);

/** "12K". */
export const compactText = (value: number): string => compact.format(value);

/** `percent(10)` and `percent(1, 10)` are "10%". */
export const percent = (part: number, whole = 100): string => percents.format(part / whole);

/** "segment" as "Segment", to begin a sentence. */
export const capitalized = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The form that agrees with a count: `agree(3, 'is', 'are')`. */
export const agree = (count: number, one: string, many = `${one}s`): string =>
  plurals.select(count) === 'one' ? one : many;

/** "1 feature", "12 features"; irregular ones as `plural(2, 'strategy', 'strategies')`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${agree(count, one, many)}`;

/** The end of a list that is cut: "+3 more". In a sentence `joinAnd` and `joinOr` write it. */
export const moreText = (rest: number): string => `+${numberText(rest)} more`;

const joinWith = (type: Intl.ListFormatType) => {
  const lists = new Intl.ListFormat(locale, { type });
  return (items: readonly string[], most = items.length): string => {
    const rest = items.length - most;
    return lists.format(
      rest > 0 ? [...items.slice(0, most), `${numberText(rest)} more`] : [...items],
    );
  };
};

/** "a, b, and c"; with `most` of 2: "a, b, and 1 more". */
export const joinAnd = joinWith('conjunction');

/** "a, b, or c"; with `most` of 2: "a, b, or 1 more". */
export const joinOr = joinWith('disjunction');

/** What an edit does to one field: "rollout 10% → 50%". */
export const fieldChange = (name: string, before: string, after: string): string =>
  `${name} ${before} → ${after}`;

/** "Invalid JSON: Unexpected token } in JSON at position 4". */
export const invalidJson = (error: unknown): string =>
  `Invalid JSON: ${error instanceof Error ? error.message : String(error)}`;

/** Why nothing more can be added: "Maximum 250 values (you have 312)", "Limit of 30 links reached". */
export const limit = (most: number, used: number, one: string, many = `${one}s`): string =>
  used > most
    ? `Maximum ${plural(most, one, many)} (you have ${numberText(used)})`
    : `Limit of ${plural(most, one, many)} reached`;

/** "Segment Nordics not found". */
export const notFound = (kind: string, name: string | number): string =>
  `${kind} ${name} not found`;
