import { AppError, type Fault } from '../errors.ts';
import type { ServedEndpoint } from './checked.ts';
import { parseJson, refuseExpensiveJson } from './json-body.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { rulesOf } from './route.ts';
import { type RequestParts, requestFaults } from './validate.ts';

/** A request whose body is too large to be parsed between other requests. */
export interface LargeRequest {
  readonly endpointId: string;
  readonly bytes: Uint8Array;
  readonly params: unknown;
  readonly query: unknown;
}

/** The faults; or the query with defaults, what the check parsed, and the body in pieces. */
export type Examined =
  | { readonly faults: readonly Fault[] }
  | { readonly query: unknown; readonly parsed: unknown; readonly pieces: readonly Piece[] };

/** More than a typical import of 32 MiB contains: one value per 8 bytes. */
const maxValues = 4_000_000;

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
}

/** Removes properties that the schema does not name. No handler reads them, and there may be millions. */
export function withoutUnknown(value: unknown, schema: object | undefined): unknown {
  if (typeof value !== 'object' || value === null || !schema) return value;
  const { properties, items, additionalProperties } = schema as Schema;
  if (Array.isArray(value)) return value.map((item) => withoutUnknown(item, items));
  if (!properties || additionalProperties !== undefined) return value;
  const declared = Object.entries(value).filter(([key]) => Object.hasOwn(properties, key));
  return Object.fromEntries(
    declared.map(([key, item]) => [key, withoutUnknown(item, properties[key])]),
  );
}

const findFaults = new WeakMap<ServedEndpoint, (request: RequestParts) => Fault[]>();

function faultsOf(endpoint: ServedEndpoint, request: RequestParts): Fault[] {
  let find = findFaults.get(endpoint);
  if (!find) {
    find = requestFaults(rulesOf(endpoint));
    findFaults.set(endpoint, find);
  }
  return find(request);
}

/** Parses and validates a body. 32 MiB take seconds, in a separate thread. */
export function examine(
  endpoint: ServedEndpoint,
  { bytes, params, query }: LargeRequest,
): Examined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  try {
    refuseExpensiveJson(text, maxValues);
    const request: RequestParts = { params, query, body: parseJson(text) };
    const faults = faultsOf(endpoint, request);
    if (faults.length > 0) return { faults };
    const body = withoutUnknown(request.body, endpoint.body);
    return { query: request.query, parsed: request.parsed, pieces: [...piecesOf(body)] };
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return { faults: error.details };
    throw error;
  }
}
