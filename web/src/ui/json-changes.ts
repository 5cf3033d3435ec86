import { dateTimeText } from './dates.ts';
import { isSame } from './is-same.ts';

/** What differs between two JSON values: as a list of changes in words, and as lines. */
export interface Change {
  /** Keys and names from the outside to the inside: `strategies`, `Beta users`, `rollout`. */
  readonly path: readonly string[];
  /** Undefined where there was nothing. */
  readonly before: unknown;
  /** Undefined where there is nothing now. */
  readonly after: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Items of a list are the same thing where they have the same id, name or key. */
const identityOf = (item: unknown): string | undefined => {
  if (!isFields(item)) return typeof item === 'string' ? item : undefined;
  const { id, name, contextName, type, value } = item;
  if (type !== undefined && value !== undefined && id === undefined) return `${type}:${value}`;
  const key = id ?? contextName ?? name;
  return key === undefined ? undefined : String(key);
};

/** What a person calls an item: its title or its name before its id. */
const nameOf = (item: unknown, identity: string): string => {
  if (!isFields(item)) return identity;
  const { title, name, contextName } = item;
  return [title, name, contextName].find((each) => typeof each === 'string' && each !== '') ===
    undefined
    ? identity
    : String([title, name, contextName].find((each) => typeof each === 'string' && each !== ''));
};

const identified = (list: readonly unknown[]): Map<string, unknown> | undefined => {
  const entries = list.map((item) => [identityOf(item), item] as const);
  const map = new Map(entries.flatMap(([key, item]) => (key === undefined ? [] : [[key, item]])));
  return map.size === list.length ? map : undefined;
};

export function changesBetween(
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): readonly Change[] {
  if (isSame(before, after)) return [];
  if (isFields(before) && isFields(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      changesBetween(before[key], after[key], [...path, key]),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const [was, is] = [identified(before), identified(after)];
    if (was && is) {
      const inside = [...new Set([...was.keys(), ...is.keys()])].flatMap((key) =>
        changesBetween(was.get(key), is.get(key), [
          ...path,
          nameOf(is.get(key) ?? was.get(key), key),
        ]),
      );
      // The same items in another order.
      return inside.length > 0 ? inside : [{ path, before, after }];
    }
  }
  return [{ path, before, after }];
}

const shortLength = 60;

/** The names of things in a list, where all of them have one. */
function namesIn(list: readonly unknown[]): string | undefined {
  const names = list.map((item) => (isFields(item) ? (item.title ?? item.name) : item));
  return names.every((name) => typeof name === 'string' && name !== '')
    ? names.join(', ')
    : undefined;
}

/** IDs of what has a name say nothing to people. */
const isSaid = (key: string, value: unknown, { name, title }: Fields): boolean =>
  value !== null && value !== undefined && (key !== 'id' || (name ?? title) === undefined);

/** "permanent: true, reason: …", without what is not set. */
const fieldsInWords = (fields: Fields): string =>
  Object.entries(fields)
    .filter(([key, value]) => isSaid(key, value, fields))
    .map(([key, value]) => `${keyInWords(key)}: ${valueInWords(value)}`)
    .join(', ');

/** A time as the server writes it. */
const isInstant = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text));

/** A value in a sentence: short, and without the signs of JSON where it needs none. */
export function valueInWords(value: unknown): string {
  if (value === undefined || value === null) return 'not set';
  if (value === '') return '""';
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.length === 0) return 'none';
  const text =
    Array.isArray(value) && value.every((each) => typeof each !== 'object')
      ? value.join(', ')
      : typeof value === 'string'
        ? isInstant(value)
          ? dateTimeText(value)
          : value
        : isFields(value)
          ? fieldsInWords(value)
          : Array.isArray(value)
            ? (namesIn(value) ?? value.map(valueInWords).join('; '))
            : String(value);
  return text.length > shortLength ? `${text.slice(0, shortLength - 1)}…` : text;
}

/** Keys that don't read like the name of a value: "expires at added". */
const keyNames: ReadonlyMap<string, string> = new Map([['expiresAt', 'expiry date']]);

/** `defaultStickiness` as "default stickiness". */
export const keyInWords = (key: string): string =>
  keyNames.get(key) ??
  (/^[a-z]+([A-Z][a-z]+)+$/.test(key)
    ? key.replace(/[A-Z]/g, (sign) => ` ${sign.toLowerCase()}`)
    : key);

/** "rollout 10 → 50", for a line below a sentence. */
export function changeInWords({ path, before, after }: Change): string {
  const where = path
    .filter((key) => key !== 'parameters')
    .map(keyInWords)
    .join(' › ');
  if (before === undefined) {
    const value = valueInWords(after);
    return value === path.at(-1) ? `${where} added` : `${where} added: ${value}`;
  }
  if (after === undefined) return `${where} removed`;
  return `${where} ${valueInWords(before)} → ${valueInWords(after)}`;
}
