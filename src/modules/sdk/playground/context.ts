import type { Fault } from '../../../platform/errors.ts';
import type { Context } from '../evaluation/index.ts';

/** The values of each field, tried one after another. */
export type Fields = ReadonlyMap<string, readonly string[]>;

export interface ReadContext {
  readonly fields: Fields;
  /** Fields that no SDK could send. They are ignored. */
  readonly invalid: readonly string[];
}

/** One value for each field. */
export type FlatContext = Readonly<Record<string, string>>;

/** Whether lists, and texts with commas, mean several values. */
type Mode = 'one value' | 'several values';

const ownFields = [
  'userId',
  'sessionId',
  'remoteAddress',
  'appName',
  'currentTime',
  'environment',
] as const;

const isOwn = (field: string) => (ownFields as readonly string[]).includes(field);

/** The context is repeated with each decision. */
const maxContextLength = 10_000;
const maxProperties = 100;
const maxListed = 100;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;

const divided = (text: string): string[] => {
  const parts = text.split(',').map((part) => part.trim());
  const values = parts.filter((part) => part !== '');
  return values.length === 0 ? [text] : values;
};

/** Undefined if it is no value of a context. */
function valuesOf(field: string, value: unknown, mode: Mode): string[] | undefined {
  const one = textOf(value);
  const divides = mode === 'several values' && field !== 'currentTime';
  if (one !== undefined) return [...new Set(divides ? divided(one) : [one])];
  if (mode === 'one value' || !Array.isArray(value)) return undefined;
  const texts = value.map(textOf);
  return texts.includes(undefined) ? undefined : [...new Set(texts as string[])];
}

/** SDKs look for a field beside the properties first. */
export function readContext(context: Readonly<Record<string, unknown>>, mode: Mode): ReadContext {
  const { properties, ...beside } = context;
  const fields = new Map<string, readonly string[]>();
  const invalid: string[] = [];
  const add = (entries: Readonly<Record<string, unknown>>, prefix: string) => {
    for (const [field, value] of Object.entries(entries)) {
      if (value === null || fields.has(field)) continue;
      const values = valuesOf(field, value, mode);
      if (values === undefined) invalid.push(`${prefix}${field}`);
      else if (values.length > 0) fields.set(field, values);
    }
  };
  add(beside, '');
  if (isObject(properties)) add(properties, 'properties.');
  return { fields, invalid };
}

const fault = (path: string, words: string): Fault => ({ path, message: `${path} ${words}` });

function ownFieldFaults(context: Record<string, unknown>, mode: Mode, at: string): Fault[] {
  return ownFields.flatMap((field) => {
    const value = context[field];
    if (value === undefined || value === null) return [];
    const path = `${at}/${field}`;
    const values = valuesOf(field, value, mode);
    const list = mode === 'several values' ? ' or an array of strings' : '';
    if (values === undefined) return [fault(path, `must be a string${list}`)];
    const isWrong =
      field === 'currentTime' && values.some((text) => Number.isNaN(Date.parse(text)));
    return isWrong ? [fault(path, 'must be a date and time, such as 2026-01-31T12:00:00Z')] : [];
  });
}

/** Faults of a context that a schema cannot express. */
export function contextFaults(context: unknown, mode: Mode, path = '/body/context'): Fault[] {
  if (!isObject(context)) return [];
  const { properties } = context;
  const faults = ownFieldFaults(context, mode, path);
  if (isObject(properties)) {
    const { length } = Object.keys(properties);
    if (length > maxProperties) {
      faults.push(fault(`${path}/properties`, `can have at most ${maxProperties} fields`));
    }
  } else if (properties !== undefined && properties !== null) {
    faults.push(fault(`${path}/properties`, 'must be an object'));
  }
  const { length } = JSON.stringify(context);
  if (length > maxContextLength) {
    faults.push(fault(path, `must be at most ${maxContextLength} characters long, not ${length}`));
  }
  for (const [field, values] of readContext(context, mode).fields) {
    if (values.length <= maxListed) continue;
    faults.push(fault(path, `can have at most ${maxListed} values of '${field.slice(0, 100)}'`));
  }
  return faults;
}

export const countCombinations = (fields: Fields): number =>
  [...fields.values()].reduce((product, { length }) => product * length, 1);

/** All combinations of values. Those of the last field change first. */
export function* combinations(fields: Fields): Generator<FlatContext> {
  const entries = [...fields];
  const total = countCombinations(fields);
  for (let number = 0; number < total; number += 1) {
    let rest = number;
    const chosen: [string, string][] = [];
    for (const [field, values] of entries.toReversed()) {
      chosen.push([field, values[rest % values.length] as string]);
      rest = Math.floor(rest / values.length);
    }
    yield Object.fromEntries(chosen.toReversed());
  }
}

/** The context as evaluators and SDKs take it. */
export function contextOf(flat: FlatContext): Context {
  const entries = Object.entries(flat);
  return {
    ...Object.fromEntries(entries.filter(([field]) => isOwn(field))),
    properties: Object.fromEntries(entries.filter(([field]) => !isOwn(field))),
  };
}
