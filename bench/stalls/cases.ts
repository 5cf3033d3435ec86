import { type Kind, type Schema, worstValue } from './worst-value.ts';

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema?: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** One request that tries to block others. */
export interface Case {
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly kind: string;
  /** Set if the result is cached, so that a second request would be cheaper. */
  readonly isOnce?: boolean;
  /** Set if the body is hard to parse, whatever the operation. */
  readonly isAboutBodies?: boolean;
  /** Generated when it is sent, because all of them together are a gigabyte. */
  readonly body?: () => string;
}

/** Names of existing resources, by parameter or property. */
export type Names = Readonly<Record<string, string>>;

const usualBytes = 1024 * 1024;
/** Operations with larger limits. */
const bytesOf: Readonly<Record<string, number>> = {
  importToggles: 8 * 1024 * 1024,
  validateImport: 8 * 1024 * 1024,
};

/** Operations that would block all later requests, or whose response never ends. */
const leftOut: ReadonlySet<string> = new Set(['toggleMaintenance', 'getServerSentEvents']);
const isLeftOut = (path: string, { operationId }: Operation) =>
  leftOut.has(operationId) || path.includes('maintenance') || path.endsWith('/streaming');

/** Slightly less than the limit, so that it is read. */
const almost = (bytes: number) => bytes - 1024;

const deep = (bytes: number) => () => {
  const depth = Math.floor(bytes / 2) - 10;
  return `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
};

const manyKeys = (bytes: number) => () => {
  const keys: string[] = [];
  for (let nth = 0, length = 0; length < bytes - 20; nth += 1) {
    const key = `"k${nth}":0`;
    keys.push(key);
    length += key.length + 1;
  }
  return `{${keys.join(',')}}`;
};

const manyLists = (bytes: number) => () => `[${'[1],'.repeat(Math.floor(bytes / 4) - 2)}1]`;

/** A document that grows with each operation. */
const patches = () => {
  const value = Array.from({ length: 2_000 }, () => ({ name: 'a'.repeat(80) }));
  const copies = Array.from({ length: 998 }, (_, nth) => ({
    ...{ op: 'copy', from: '/constraints', path: `/x${nth}` },
  }));
  return JSON.stringify([{ op: 'add', path: '/constraints', value }, ...copies]);
};

const isPatch = ({ items }: Schema) => items?.properties?.op !== undefined;

const kinds: readonly Kind[] = ['wide', 'long', 'faulty', 'expressions'];

function bodiesOf(schema: Schema, names: Names, limit: number) {
  const bytes = almost(limit);
  const generated = kinds.map((kind) => ({
    kind,
    body: () => {
      const making = { kind, names, count: 0 };
      const text = JSON.stringify(worstValue(schema, 'body', making, bytes * 0.9));
      return text.length > bytes
        ? JSON.stringify(worstValue(schema, 'body', making, bytes / 3))
        : text;
    },
  }));
  return [
    ...generated,
    { kind: 'deep', body: deep(bytes), isAboutBodies: true },
    { kind: 'keys', body: manyKeys(bytes), isAboutBodies: true },
    { kind: 'lists', body: manyLists(bytes), isAboutBodies: true },
    ...(isPatch(schema) ? [{ kind: 'patches', body: patches }] : []),
  ];
}

const pathOf = (path: string, names: Names) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? '1'));

const withQuery = (path: string, query: Readonly<Record<string, string>>) =>
  `${path}?${new URLSearchParams(query)}`;

/** Yields the path without a query, and with every parameter as long as the request line allows. */
function queriesOf(path: string, parameters: readonly Parameter[]) {
  const asked = parameters.filter((each) => each.in === 'query');
  if (asked.length === 0) return [{ kind: 'plain', path }];
  const texts = asked.filter(({ schema }) => schema?.type === 'string' && !schema.enum);
  const length = Math.floor(12_000 / Math.max(1, texts.length));
  const long = texts.map(({ name, schema }) => {
    const most = Math.min(length, schema?.maxLength ?? length);
    return [name, 'ab '.repeat(most).slice(0, most)] as const;
  });
  const limit = asked.some(({ name }) => name === 'limit') ? { limit: '1000' } : {};
  return [
    { kind: 'plain', path },
    { kind: 'much', path: withQuery(path, limit) },
    { kind: 'long query', path: withQuery(path, { ...limit, ...Object.fromEntries(long) }) },
    ...texts.slice(0, 6).map(({ name }) => ({
      kind: `query ${name}`,
      path: withQuery(path, { ...limit, [name]: 'ab'.repeat(3_000) }),
    })),
  ];
}

const order = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns the worst requests for every operation of the document; reads first, deletions last. */
export function casesOf(document: OpenApi, names: Names): Case[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return operations
    .filter(({ path, operation }) => !isLeftOut(path, operation))
    .sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
    .flatMap(({ path, method, operation }): Case[] => {
      const common = { method: method.toUpperCase(), operation: operation.operationId };
      // Deletions name nothing that exists, because the other cases need it.
      const filled = pathOf(path, method === 'delete' ? {} : names);
      const content = operation.requestBody?.content ?? {};
      const schema = content['application/json']?.schema ?? Object.values(content)[0]?.schema;
      if (!schema) {
        return queriesOf(filled, operation.parameters ?? []).map((each) => ({
          ...common,
          ...each,
        }));
      }
      const limit = bytesOf[operation.operationId] ?? usualBytes;
      return bodiesOf(schema, names, limit).map((each) => ({ ...common, path: filled, ...each }));
    });
}
