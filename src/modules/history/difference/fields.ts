import { isDeepStrictEqual } from 'node:util';

/** A value that differs between two states. */
export interface FieldChange {
  /** The names that lead to it. Items of a list that have an ID are named by it. */
  readonly path: string[];
  readonly before?: unknown;
  readonly after?: unknown;
}

type Entries = ReadonlyMap<string, unknown>;

const isIdentified = (item: unknown): item is { readonly id: string } =>
  typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string';

/** The parts of an object, or of a list whose items have an ID. Other values are compared as a whole. */
function entriesOf(value: unknown): Entries | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  return value.length > 0 && value.every(isIdentified)
    ? new Map(value.map((item) => [item.id, item]))
    : undefined;
}

/** The values that differ between two states, by the order of the first. */
export function fieldChanges(before: unknown, after: unknown, path: string[] = []): FieldChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [old, fresh] = [entriesOf(before), entriesOf(after)];
  if (old && fresh) {
    return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((name) =>
      fieldChanges(old.get(name), fresh.get(name), [...path, name]),
    );
  }
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}
