import { invalidJson } from '../../ui/format.ts';
/** The part of a JSON schema that says which properties there are. */
export interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/** Places in a value that its schema does not know, with `*` for each item of a list. */
function unknownPlaces(shape: Shape, value: unknown, path = ''): string[] {
  const shapes = shape.anyOf ?? [shape];
  if (Array.isArray(value)) {
    const items = shapes.find((each) => each.items !== undefined)?.items;
    return items
      ? [...new Set(value.flatMap((item) => unknownPlaces(items, item, `${path}/*`)))]
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const properties = shapes.find((each) => each.properties !== undefined)?.properties;
  if (!properties) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return known ? unknownPlaces(known, part, `${path}/${key}`) : [`${path}/${key}`.slice(1)];
  });
}

/** The same value without what its schema does not know, and without what is null. */
function understood(shape: Shape, value: unknown): unknown {
  const shapes = shape.anyOf ?? [shape];
  if (Array.isArray(value)) {
    const items = shapes.find((each) => each.items !== undefined)?.items;
    return items ? value.map((item) => understood(items, item)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const properties = shapes.find((each) => each.properties !== undefined)?.properties;
  if (!properties) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return known && part !== null ? [[key, understood(known, part)]] : [];
    }),
  );
}

export type ReadDefinition =
  | { readonly problem: string }
  | { readonly body: Readonly<Record<string, unknown>>; readonly notUnderstood: readonly string[] };

/**
 * Reads a pasted definition: the body of the request, or a whole feature as the API returns it, of which
 * the parts that a new feature cannot have are named.
 */
export function readDefinition(text: string, shape: Shape): ReadDefinition {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: invalidJson(error) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'Must be a JSON object with at least a name' };
  }
  return {
    body: understood(shape, value) as Record<string, unknown>,
    notUnderstood: unknownPlaces(shape, value),
  };
}
