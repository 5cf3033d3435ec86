import type { Context } from '../evaluation/index.ts';
import { ContextQuerySchema } from './context-schema.ts';

type Given = Readonly<Record<string, unknown>>;

/** What somebody asks for, and who they say they are. */
export interface EvaluationRequest {
  readonly environment: string | undefined;
  readonly context: Context;
}

const prefix = 'properties[';

/** The name of a property that stands in a query. */
const nameIn = (key: string): string | undefined =>
  key.startsWith(prefix) && key.endsWith(']') ? key.slice(prefix.length, -1) : undefined;

const ownFields: ReadonlySet<string> = new Set([
  ...Object.keys(ContextQuerySchema.properties),
  'properties',
]);

/** One that is named as a property goes before one that only stands among the fields. */
function propertiesIn(given: Given): Given {
  // Without a prototype: names are anybody's.
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

/** A text that is empty says nothing. */
export const unlessEmpty = (value: unknown): unknown => (value === '' ? undefined : value);

/** The context in a query or in the body of a request. */
export function askedIn(given: Given): EvaluationRequest {
  const { userId, sessionId, appName, remoteAddress, environment } = given;
  const currentTime = unlessEmpty(given.currentTime);
  const properties = propertiesIn(given);
  return {
    environment: typeof environment === 'string' && environment !== '' ? environment : undefined,
    // The evaluator reads whatever is text, a number or a boolean.
    context: { userId, sessionId, appName, remoteAddress, currentTime, properties } as Context,
  };
}
