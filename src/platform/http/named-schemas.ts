import { isDeepStrictEqual } from 'node:util';
import { nameKeyword } from '../contract/schema.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a place says of a schema beside its name: each place may describe it in its own words. */
function ofThePlace({ description, default: usual, deprecated }: Json): Json {
  return {
    ...(description !== undefined && { description }),
    ...(usual !== undefined && { default: usual }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

/** The same schema without what only this place says, and whether it may be null here. */
function ofTheName({ description: _, default: __, deprecated: ___, type, ...schema }: Json): {
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
 * Two forms of one thing, of which one tells more: what both have is the same, and required is what both require.
 * Undefined where they are different things.
 */
function oneOfBoth(a: Json, b: Json): Json | undefined {
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
 * The document with each named schema in its components, once, and references where it stood. Where the reference
 * has one name for two forms of a thing, the schema has the properties of both.
 */
export function withNamedSchemas<
  Document extends { paths?: unknown; components?: { schemas?: object } },
>(document: Document): Document {
  const schemas = new Map<string, Json>();
  const descriptions = new Map<string, unknown>();

  const reference = (name: string, found: Json): Json => {
    const { schema, orNull } = ofTheName(found);
    const known = schemas.get(name);
    if (!known) {
      schemas.set(name, schema);
      descriptions.set(name, found.description);
    } else if (!isDeepStrictEqual(known, schema)) {
      const both = oneOfBoth(known, schema);
      if (!both) throw new Error(`two different schemas are called ${name}`);
      schemas.set(name, both);
    }
    const $ref = `#/components/schemas/${name}`;
    const { description, ...others } = ofThePlace(found);
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
