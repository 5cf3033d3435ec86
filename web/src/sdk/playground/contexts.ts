import { capitalized, invalidJson } from '../../ui/format.ts';

/** One value of a field, or several, each of which is tried. */
type Value = string | readonly string[];

/** A context as it is typed. A field without a value is left out when it is evaluated. */
export type PlaygroundContext = Readonly<Record<string, Value>>;

export const maxContexts = 50;

type Read =
  | { readonly contexts: readonly PlaygroundContext[]; readonly faults?: undefined }
  | { readonly faults: readonly string[] };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;

function fieldValueOf(value: unknown): Value | undefined {
  const one = textOf(value);
  if (one !== undefined) return one;
  if (!Array.isArray(value)) return undefined;
  const texts = value.map(textOf);
  return texts.includes(undefined) ? undefined : (texts as string[]);
}

/** Properties lie beside the other fields, as the table shows them. Of two with the same name the outer one counts. */
function readContext(
  raw: unknown,
  place: string,
): { context: PlaygroundContext; faults: string[] } {
  const faults: string[] = [];
  const context: Record<string, Value> = {};
  const add = (entries: Record<string, unknown>, at: string) => {
    for (const [field, each] of Object.entries(entries)) {
      if (each === null || Object.hasOwn(context, field)) continue;
      const value = fieldValueOf(each);
      if (value !== undefined) context[field] = value;
      else faults.push(`${field} in ${at} must be a string, number, boolean, or array of these`);
    }
  };
  if (!isObject(raw))
    return {
      context,
      faults: [`${capitalized(place)} must be an object, for example {"userId": "7"}`],
    };
  const { properties, ...beside } = raw;
  add(beside, place);
  if (isObject(properties)) add(properties, `properties of ${place}`);
  else if (properties !== undefined && properties !== null) {
    faults.push(`properties in ${place} must be an object`);
  }
  return { context, faults };
}

/** Reads contexts: a list, or one alone. */
export function readContexts(raw: unknown): Read {
  const list = Array.isArray(raw) ? raw : [raw];
  if (list.length === 0) return { contexts: [{}] };
  if (list.length > maxContexts) {
    return {
      faults: [`Too many contexts (${list.length}). The maximum is ${maxContexts}.`],
    };
  }
  const read = list.map((each, index) => readContext(each, `context ${index + 1}`));
  const faults = read.flatMap((each) => each.faults);
  return faults.length > 0 ? { faults } : { contexts: read.map(({ context }) => context) };
}

/** Reads contexts from JSON that a user types. */
export function parseContexts(text: string): Read {
  if (text.trim() === '') return { contexts: [{}] };
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    return { faults: [invalidJson(error)] };
  }
  return readContexts(raw);
}

/** The columns of the table, in the order in which they first occur. */
export const fieldsOf = (contexts: readonly PlaygroundContext[]): string[] => [
  ...new Set(contexts.flatMap((context) => Object.keys(context))),
];

/** What a cell of the table shows: several values are separated by commas. */
export const cellText = (value: Value | undefined): string =>
  typeof value === 'object' ? value.join(', ') : (value ?? '');

/** A list with a comma inside a value can be changed as JSON only: in a cell the comma would separate. */
export const isPlain = (value: Value | undefined): boolean =>
  typeof value !== 'object' || value.every((each) => !each.includes(','));

export const withCell = (
  contexts: readonly PlaygroundContext[],
  row: number,
  field: string,
  text: string,
): PlaygroundContext[] =>
  contexts.map((context, index) => (index === row ? { ...context, [field]: text } : context));

export const withField = (
  contexts: readonly PlaygroundContext[],
  field: string,
): PlaygroundContext[] =>
  contexts.map((context) => ({ ...context, [field]: context[field] ?? '' }));

export const withoutField = (
  contexts: readonly PlaygroundContext[],
  field: string,
): PlaygroundContext[] =>
  contexts.map((context) =>
    Object.fromEntries(Object.entries(context).filter(([each]) => each !== field)),
  );

/** Contexts as they are sent: without fields that have no value. */
export const sentContexts = (contexts: readonly PlaygroundContext[]): PlaygroundContext[] =>
  contexts.map((context) =>
    Object.fromEntries(Object.entries(context).filter(([, value]) => value.length > 0)),
  );

/** A context in a few words: `userId=7, country=DK`. */
export function contextWords(values: Readonly<Record<string, string>>): string {
  const entries = Object.entries(values);
  if (entries.length === 0) return 'empty context';
  return entries.map(([field, value]) => `${field}=${value}`).join(', ');
}
