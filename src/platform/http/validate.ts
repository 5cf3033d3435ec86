import type { FastifyRequest } from 'fastify';
import { badData, type Fault, maxFaults } from '../errors.ts';
import type { ServedEndpoint } from './checked.ts';
import { escapeToken } from './json-pointer.ts';
import { queryReader } from './query-lists.ts';
import { schemaFaults } from './schema-faults.ts';
import { findUnstorable } from './storable.ts';

const parts = ['params', 'query', 'body'] as const;
type Part = (typeof parts)[number];

/** The parts of a request that validation checks and fills with defaults, and what the check parsed. */
export type RequestParts = Pick<FastifyRequest, Part> & { parsed?: unknown };

/** Returns a part of the request without the properties that have faults. */
function sound(part: Part, value: unknown, faults: readonly Fault[]): unknown {
  if (faults.length === 0) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const faulty = new Set(faults.map(({ path }) => path?.split('/', 3).join('/')));
  const entries = Object.entries(value).filter(
    ([key]) => !faulty.has(`/${part}/${escapeToken(key)}`),
  );
  return Object.fromEntries(entries);
}

/** The validation rules of an endpoint. */
export interface RequestRules {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly check?: ServedEndpoint['check'] | undefined;
}

type Body = Record<string, unknown>;

/** Lists properties of a body that are accepted only with a value that means none. */
const unsupportedIn = (body: object | undefined): string[] =>
  Object.entries((body as { properties?: Record<string, object> })?.properties ?? {})
    .filter(([, property]) => 'x-not-supported' in property)
    .map(([name]) => name);

/** Creates a function that returns the faults of a request, up to `maxFaults`. */
export function requestFaults(rules: RequestRules): (request: RequestParts) => Fault[] {
  const { query, body, check } = rules;
  const readQuery = query && queryReader(query);
  const unsupported = unsupportedIn(body);
  const findFaults = parts.flatMap((part) => {
    const schema = rules[part];
    return schema ? [[part, schemaFaults(schema)] as const] : [];
  });
  return (request) => {
    if (readQuery) request.query = readQuery(request.query);
    // An optional body has a default, like an optional property.
    if (body && 'default' in body && request.body === undefined) {
      request.body = structuredClone(body.default);
    }
    const faults: Fault[] = [];
    for (const part of parts) findUnstorable(request[part], [part], faults);
    for (const [part, find] of findFaults) {
      if (part === 'body' && request.body === undefined) {
        faults.push({ path: '/body', message: '/body is missing: send a JSON body' });
      } else {
        faults.push(...find(request[part], `/${part}`));
      }
    }
    // The check may rely on the schema, so it receives only the properties that passed it. It is skipped if the body is
    // not an object or list, or is a list with an invalid item: removing the item would shift the others. After
    // `maxFaults` validation stopped early, so nothing is known to be valid.
    const list = Array.isArray(request.body) || faults.length >= maxFaults;
    const bodyIsSound = !faults.some(({ path = '' }) =>
      list ? path.startsWith('/body') : path === '/body',
    );
    if (check && bodyIsSound) {
      const found = check({
        params: sound('params', request.params, faults),
        query: sound('query', request.query, faults),
        body: sound('body', request.body, faults),
      });
      const more = 'faults' in found ? found.faults : found;
      for (const fault of more.slice(0, maxFaults)) faults.push(fault);
      if ('faults' in found) request.parsed = found;
    }
    // Services do not need to see properties that say that something is not requested.
    if (faults.length === 0) for (const name of unsupported) delete (request.body as Body)[name];
    return faults;
  };
}

/** Creates a function that refuses a request with any fault. */
export function validation(rules: RequestRules): (request: RequestParts) => void {
  const findFaults = requestFaults(rules);
  return (request) => {
    const faults = findFaults(request);
    if (faults.length > 0) throw badData(faults);
  };
}
