import type { Context } from '../evaluation/index.ts';
import { ContextQuerySchema } from './context-schema.ts';

type Properties = Readonly<Record<string, unknown>>;

/** A request for evaluation, with its context. */
export interface EvaluationRequest {
  readonly environment: string | undefined;
  readonly context: Context;
}

const prefix = 'properties[';

/** Returns the name of a property in a query key. */
const nameIn = (key: string): string | undefined =>
  key.startsWith(prefix) && key.endsWith(']') ? key.slice(prefix.length, -1) : undefined;

const ownFields: ReadonlySet<string> = new Set([
  ...Object.keys(ContextQuerySchema.properties),
  'properties',
]);

/** Returns the properties. One in `properties` takes precedence over a field of the same name. */
function propertiesIn(given: Properties): Properties {
  // Without a prototype, because callers choose the names.
  const properties: Record<string, unknown> = Object.create(null);
  const named: [string, unknown][] = [];
  for (const key in given) {
    if (ownFields.has(key)) continue;
    const name = nameIn(key);
    if (name === undefined) properties[key] = given[key];
    else named.push([name, given[key]]);
  }
  for (const [name, value] of named) properties[name] = value;
  const own = given.properties;
  return typeof own === 'object' && own !== null ? Object.assign(properties, own) : properties;
}

/** Treats an empty text as missing. */
export const unlessEmpty = (value: unknown): unknown => (value === '' ? undefined : value);

/** Returns the context in a query or in a request's body. */
export function requestIn(given: Properties): EvaluationRequest {
  const { userId, sessionId, appName, remoteAddress, environment } = given;
  const currentTime = unlessEmpty(given.currentTime);
  const properties = propertiesIn(given);
  return {
    environment: typeof environment === 'string' && environment !== '' ? environment : undefined,
    // The evaluator accepts text, numbers and booleans.
    context: { userId, sessionId, appName, remoteAddress, currentTime, properties } as Context,
  };
}
