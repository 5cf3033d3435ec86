import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import type { FastifyRequest } from 'fastify';
import { badData, type Fault } from '../errors.ts';

const createAjv = (allErrors: boolean): Ajv => {
  const ajv = new Ajv({ allErrors, useDefaults: true, strict: false, verbose: true });
  // ajv-formats is CommonJS: its default export is the module itself under Node's rules.
  (ajvFormats as unknown as (target: Ajv) => void)(ajv);
  return ajv;
};
const ajv = createAjv(true);
/** A body of so many bytes has all of its faults told. */
const usualBytes = 1024 * 1024;
/** For bodies of many megabytes: fifteen million faults, one for each wrong number, would fill the memory. */
const ajvForLarge = createAjv(false);

type Part = 'params' | 'query' | 'body';

const shorten = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
};

const explain = (part: Part, error: ErrorObject): Fault => {
  if (error.keyword === 'required') {
    const path = `/${part}${error.instancePath}/${error.params.missingProperty}`;
    return { path, message: `${path} is missing` };
  }
  const path = `/${part}${error.instancePath}`;
  const {
    'x-fault': words,
    writeOnly,
    properties = {},
  } = (error.parentSchema ?? {}) as {
    /** A schema can say in its own words what its pattern means. */
    'x-fault'?: string;
    /** What is a secret is not repeated, nor what may hold one. */
    writeOnly?: boolean;
    properties?: Readonly<Record<string, { writeOnly?: boolean }>>;
  };
  const isSecret = writeOnly || Object.values(properties).some((property) => property.writeOnly);
  const allowed = error.keyword === 'enum' ? `: ${error.params.allowedValues.join(', ')}` : '';
  const sent = isSecret ? '' : `; you sent ${shorten(error.data)}`;
  return { path, message: `${path} ${words ?? error.message}${allowed}${sent}` };
};

const pointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Deeper than any real body; a megabyte of brackets would overflow the stack of whoever walks it. */
const maxDepth = 100;

/** Longer than any list we take; to find every fault of a megabyte of items takes seconds. */
const maxItems = 10_000;

/** NUL and lone surrogates are valid in JSON and in URLs, but cannot be stored as text. */
const unstorableText = (text: string): string | undefined => {
  if (text.includes('\0')) return 'contains a NUL character';
  return text.isWellFormed() ? undefined : 'contains half of a surrogate pair';
};

/** Adds the faults below a value; paths are made for faults alone, since a body can have a million values. */
function findUnstorable(value: unknown, keys: string[], faults: Fault[]): void {
  const fault = (words: string) => {
    const path = `/${keys.map(pointer).join('/')}`;
    faults.push({ path, message: `${path} ${words}` });
  };
  if (typeof value === 'string') {
    const words = unstorableText(value);
    if (words) fault(words);
  } else if (typeof value === 'object' && value !== null) {
    if (keys.length > maxDepth) {
      throw badData([{ path: '/body', message: `/body is nested deeper than ${maxDepth} levels` }]);
    }
    if (Array.isArray(value) && value.length > maxItems) {
      const path = `/${keys.map(pointer).join('/')}`;
      throw badData([{ path, message: `${path} has more than ${maxItems} items` }]);
    }
    for (const [key, item] of Object.entries(value)) {
      keys.push(key);
      const words = unstorableText(key);
      if (words) fault(words);
      findUnstorable(item, keys, faults);
      keys.pop();
    }
  }
}

function unstorable(part: Part, value: unknown): Fault[] {
  const faults: Fault[] = [];
  findUnstorable(value, [part], faults);
  return faults;
}

/** Refuses path parameters that no stored name can equal, before anybody looks them up. */
export function refuseUnstorable(params: object): void {
  if (Object.keys(params).length === 0) return;
  const faults = unstorable('params', params);
  if (faults.length > 0) throw badData(faults);
}

/** The part without the properties in which a fault was found already. */
function sound(part: Part, value: unknown, faults: readonly Fault[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const faulty = new Set(faults.map(({ path }) => path?.split('/').slice(0, 3).join('/')));
  const entries = Object.entries(value).filter(([key]) => !faulty.has(`/${part}/${pointer(key)}`));
  return Object.fromEntries(entries);
}

/** Finds every fault of a value that no request brought as it is: the outcome of a patch, a part of an import. */
export function validator(schema: object): (value: unknown, path: string) => Fault[] {
  let valid: ValidateFunction | undefined;
  return (value, path) => {
    valid ??= ajv.compile(schema);
    const [part, ...below] = path.slice(1).split('/');
    const prefix = below.length > 0 ? `/${below.join('/')}` : '';
    if (valid(value)) return [];
    return (valid.errors ?? []).map((error) =>
      explain(part as Part, { ...error, instancePath: `${prefix}${error.instancePath}` }),
    );
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the endpoint's own types meet here; its caller knows them
type Check = (input: any) => readonly Fault[];

/** One function per endpoint that finds every fault of a request at once. */
export function validation(
  params: object | undefined,
  query: object | undefined,
  body: object | undefined,
  check: Check | undefined,
  mayBeLarge = false,
): (request: FastifyRequest) => void {
  const schemas: [Part, object | undefined][] = [
    ['params', params],
    ['query', query],
    ['body', body],
  ];
  const compiledWith = (compiler: Ajv): [Part, ValidateFunction][] =>
    schemas.flatMap(([part, schema]) => (schema ? [[part, compiler.compile(schema)]] : []));
  // Compiled by the first request, and not while everybody waits for the start.
  let parts: [Part, ValidateFunction][] | undefined;
  let partsOfLarge: [Part, ValidateFunction][] | undefined;
  return (request) => {
    const isLarge = mayBeLarge && !(Number(request.headers['content-length']) <= usualBytes);
    if (isLarge) partsOfLarge ??= compiledWith(ajvForLarge);
    else parts ??= compiledWith(ajv);
    // A body that may be missing has a default, as a property that may be.
    if (body && 'default' in body && request.body === undefined) {
      request.body = structuredClone(body.default);
    }
    const faults: Fault[] = [];
    for (const part of ['params', 'query', 'body'] as const) {
      findUnstorable(request[part], [part], faults);
    }
    for (const [part, valid] of (isLarge ? partsOfLarge : parts) ?? []) {
      if (part === 'body' && request.body === undefined) {
        faults.push({ path: '/body', message: '/body is missing: send a JSON body' });
      } else if (!valid(request[part])) {
        // One by one: spread over the stack, the faults of a 1 MiB array overflow it.
        for (const error of valid.errors ?? []) faults.push(explain(part, error));
      }
    }
    // The check may rely on the schema: it sees only what passed it, and no body that
    // is not one, nor a list with a faulty item: without it the others would have other places. Of a large
    // one only the first fault is known.
    const list = Array.isArray(request.body);
    const bodyIsSound = !faults.some(({ path = '' }) =>
      list || isLarge ? path.startsWith('/body') : path === '/body',
    );
    if (check && bodyIsSound) {
      const found = check({
        params: sound('params', request.params, faults),
        query: sound('query', request.query, faults),
        body: sound('body', request.body, faults),
      });
      for (const fault of found) faults.push(fault);
    }
    if (faults.length > 0) throw badData(faults);
  };
}
