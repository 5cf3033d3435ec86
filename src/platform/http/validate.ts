import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import type { FastifyRequest } from 'fastify';
import { badData, type Fault } from '../errors.ts';

const ajv = new Ajv({ allErrors: true, useDefaults: true, strict: false, verbose: true });
// ajv-formats is CommonJS: its default export is the module itself under Node's rules.
(ajvFormats as unknown as (target: Ajv) => void)(ajv);

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
  // A schema can say in its own words what its pattern means.
  const words = (error.parentSchema as { 'x-fault'?: string } | undefined)?.['x-fault'];
  const allowed = error.keyword === 'enum' ? `: ${error.params.allowedValues.join(', ')}` : '';
  return {
    path,
    message: `${path} ${words ?? error.message}${allowed}; you sent ${shorten(error.data)}`,
  };
};

const pointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Deeper than any real body; a megabyte of brackets would overflow the stack of whoever walks it. */
const maxDepth = 100;

/** Longer than any list we take; to find every fault of a megabyte of items takes seconds. */
const maxItems = 10_000;

/** NUL and lone surrogates are valid in JSON and in URLs, but cannot be stored as text. */
function* unstorable(value: unknown, path: string, depth = 0): Generator<Fault> {
  if (typeof value === 'string') {
    if (value.includes('\0')) yield { path, message: `${path} contains a NUL character` };
    else if (!value.isWellFormed()) {
      yield { path, message: `${path} contains half of a surrogate pair` };
    }
  } else if (typeof value === 'object' && value !== null) {
    if (depth === maxDepth) {
      throw badData([{ path: '/body', message: `/body is nested deeper than ${maxDepth} levels` }]);
    }
    if (Array.isArray(value) && value.length > maxItems) {
      throw badData([{ path, message: `${path} has more than ${maxItems} items` }]);
    }
    for (const [key, item] of Object.entries(value)) {
      const below = `${path}/${pointer(key)}`;
      yield* unstorable(key, below, depth + 1);
      yield* unstorable(item, below, depth + 1);
    }
  }
}

/** Refuses path parameters that no stored name can equal, before anybody looks them up. */
export function refuseUnstorable(params: unknown): void {
  const faults = [...unstorable(params, '/params')];
  if (faults.length > 0) throw badData(faults);
}

/** The part without the properties in which a fault was found already. */
function sound(part: Part, value: unknown, faults: readonly Fault[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const faulty = new Set(faults.map(({ path }) => path?.split('/').slice(0, 3).join('/')));
  const entries = Object.entries(value).filter(([key]) => !faulty.has(`/${part}/${pointer(key)}`));
  return Object.fromEntries(entries);
}

// biome-ignore lint/suspicious/noExplicitAny: the endpoint's own types meet here; its caller knows them
type Check = (input: any) => readonly Fault[];

/** One function per endpoint that finds every fault of a request at once. */
export function validation(
  params: object | undefined,
  query: object | undefined,
  body: object | undefined,
  check: Check | undefined,
): (request: FastifyRequest) => void {
  const schemas: [Part, object | undefined][] = [
    ['params', params],
    ['query', query],
    ['body', body],
  ];
  // Compiled by the first request, and not while everybody waits for the start.
  let parts: [Part, ValidateFunction][] | undefined;
  return (request) => {
    parts ??= schemas.flatMap(([part, schema]) => (schema ? [[part, ajv.compile(schema)]] : []));
    const faults: Fault[] = [];
    for (const part of ['params', 'query', 'body'] as const) {
      for (const fault of unstorable(request[part], `/${part}`)) faults.push(fault);
    }
    for (const [part, valid] of parts) {
      if (part === 'body' && request.body === undefined) {
        faults.push({ path: '/body', message: '/body is missing: send a JSON body' });
      } else if (!valid(request[part])) {
        // One by one: spread over the stack, the faults of a 1 MiB array overflow it.
        for (const error of valid.errors ?? []) faults.push(explain(part, error));
      }
    }
    // The check may rely on the schema: it sees only what passed it, and no body that is not one.
    const bodyIsSound = !faults.some(({ path }) => path === '/body');
    if (check && bodyIsSound) {
      faults.push(
        ...check({
          params: sound('params', request.params, faults),
          query: sound('query', request.query, faults),
          body: sound('body', request.body, faults),
        }),
      );
    }
    if (faults.length > 0) throw badData(faults);
  };
}
