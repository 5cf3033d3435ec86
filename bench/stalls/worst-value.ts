/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
}

/** What makes a value hard to process. */
export type Kind = 'wide' | 'long' | 'faulty' | 'expressions';

interface Making {
  readonly kind: Kind;
  /** Names of existing resources, by property. */
  readonly names: Readonly<Record<string, string>>;
  count: number;
}

const typeOf = ({ type }: Schema): string | undefined =>
  typeof type === 'string' ? type : type?.find((each) => each !== 'null');

/** Each compiles to nearly the maximum size, and no two are equal. */
export const expression = (nth: number): string => `(a|b)*?(a(a|b){95})[c${nth % 10}]${nth}`;

function textOf(schema: Schema, name: string, making: Making, bytes: number): unknown {
  making.count += 1;
  if (making.kind === 'faulty') return making.count;
  if (schema.format === 'date-time') return '2026-01-31T12:00:00.000Z';
  const known = making.names[name];
  if (known !== undefined) return known;
  const unique = `x${making.count}`;
  if (making.kind !== 'long') return unique;
  const length = Math.min(schema.maxLength ?? bytes, bytes);
  return unique.padEnd(Math.max(unique.length, length), 'a');
}

/** Returns a constraint with the maximum number of values, or with an expression. */
function constraint({ kind, count }: Making): object {
  const common = { contextName: 'userId', inverted: true, caseInsensitive: true };
  if (kind === 'expressions') return { ...common, operator: 'REGEX', value: expression(count) };
  const values = Array.from({ length: 250 }, (_, nth) => `b${'a'.repeat(20)}${nth}`);
  return { ...common, operator: 'STR_CONTAINS', values };
}

function listOf(schema: Schema, name: string, making: Making, bytes: number): unknown[] {
  const items = schema.items ?? {};
  const most = schema.maxItems ?? Number.POSITIVE_INFINITY;
  const list: unknown[] = [];
  let length = 0;
  while (list.length < most && length < bytes) {
    // A nested list gets a part of the size, so that there are many of both.
    const item = worstValue(items, name, making, Math.max(200, bytes / 50));
    const text = JSON.stringify(item) ?? 'null';
    list.push(item);
    length += text.length + 1;
  }
  return list;
}

function objectOf(schema: Schema, making: Making, bytes: number): object {
  const properties = Object.entries(schema.properties ?? {});
  if (schema.properties?.operator && schema.properties.contextName) {
    making.count += 1;
    return making.kind === 'faulty' ? { contextName: 1, operator: 2 } : constraint(making);
  }
  if (properties.length === 0) {
    const size = Math.max(1, Math.floor(Math.min(bytes, 100_000) / 16));
    return Object.fromEntries(Array.from({ length: size }, (_, nth) => [`k${nth}`, `${nth}`]));
  }
  const large = properties.filter(([, each]) => ['array', 'object'].includes(typeOf(each) ?? ''));
  const room = bytes / Math.max(1, making.kind === 'long' ? properties.length : large.length);
  return Object.fromEntries(
    properties.map(([name, each]) => [name, worstValue(each, name, making, room)]),
  );
}

/** Returns a value of about this many bytes that the schema allows, or nearly. */
export function worstValue(schema: Schema, name: string, making: Making, bytes: number): unknown {
  if (schema.anyOf?.[0]) return worstValue(schema.anyOf[0], name, making, bytes);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum && making.kind !== 'faulty') return schema.enum.at(0);
  switch (typeOf(schema)) {
    case 'array':
      return listOf(schema, name, making, bytes);
    case 'object':
      return objectOf(schema, making, bytes);
    case 'integer':
    case 'number':
      return making.kind === 'faulty' ? 'no number' : (schema.minimum ?? 1);
    case 'boolean':
      return making.kind === 'faulty' ? 'neither' : true;
    default:
      return textOf(schema, name, making, bytes);
  }
}
