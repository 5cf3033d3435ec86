import { isDeepStrictEqual } from 'node:util';
import { nameKeyword } from '../contract/schema.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the parts of a schema that each use may set itself. */
function usageKeywords({ description, default: usual, deprecated }: Json): Json {
  return {
    ...(description !== undefined && { description }),
    ...(usual !== undefined && { default: usual }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

/** Returns a schema without the parts of its use, and whether this use allows null. */
function schemaWithoutUsage({
  description: _,
  default: __,
  deprecated: ___,
  type,
  ...schema
}: Json): {
  readonly schema: Json;
  readonly orNull: boolean;
} {
  if (!Array.isArray(type) || !type.includes('null')) {
    return { schema: { ...(type !== undefined && { type }), ...schema }, orNull: false };
  }
  const others = type.filter((each) => each !== 'null');
  return { schema: { type: others.length === 1 ? others[0] : others, ...schema }, orNull: true };
}

/**
 * Merges two forms of a schema, if their common properties are equal. Requires what both require. Returns undefined
 * if they differ.
 */
function mergeSchemas(a: Json, b: Json): Json | undefined {
  const { properties: has, required: needs, ...others } = a;
  const { properties: hasToo, required: needsToo, ...othersToo } = b;
  if (!isObject(has) || !isObject(hasToo) || !isDeepStrictEqual(others, othersToo))
    return undefined;
  const shared = Object.keys(has).filter((key) => Object.hasOwn(hasToo, key));
  const isSame = shared.every((key) => isDeepStrictEqual(has[key], hasToo[key]));
  if (shared.length === 0 || !isSame) return undefined;
  const required = Array.isArray(needs) && Array.isArray(needsToo) ? needs : [];
  const both = required.filter((key) => (needsToo as unknown[]).includes(key));
  return {
    ...others,
    ...(both.length > 0 && { required: both }),
    properties: { ...has, ...hasToo },
  };
}

/**
 * Moves each named schema into the document's components and replaces its uses by references. If the reference uses one
 * name for two forms, the schema has the properties of both.
 */
export function withNamedSchemas<
  Document extends { paths?: unknown; components?: { schemas?: object } },
>(document: Document): Document {
  const schemas = new Map<string, Json>();
  const descriptions = new Map<string, unknown>();

  const reference = (name: string, found: Json): Json => {
    const { schema, orNull } = schemaWithoutUsage(found);
    const existing = schemas.get(name);
    if (!existing) {
      schemas.set(name, schema);
      descriptions.set(name, found.description);
    } else if (!isDeepStrictEqual(existing, schema)) {
      const both = mergeSchemas(existing, schema);
      if (!both) throw new Error(`two different schemas are called ${name}`);
      schemas.set(name, both);
    }
    const $ref = `#/components/schemas/${name}`;
    const { description, ...others } = usageKeywords(found);
    const words =
      description !== undefined && description !== descriptions.get(name) ? { description } : {};
    return orNull
      ? { anyOf: [{ $ref }, { type: 'null' }], ...words, ...others }
      : { $ref, ...words, ...others };
  };

  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    const { [nameKeyword]: name, ...rest } = value;
    const walked = Object.fromEntries(
      Object.entries(typeof name === 'string' ? rest : value).map(([key, item]) => [
        key,
        walk(item),
      ]),
    );
    return typeof name === 'string' ? reference(name, walked) : walked;
  };

  const paths = walk(document.paths);
  const described = [...schemas]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => {
      const description = descriptions.get(name);
      return [name, { ...schema, ...(description !== undefined && { description }) }];
    });
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, ...Object.fromEntries(described) },
    },
  };
}
