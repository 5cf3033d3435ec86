import { type TSchema, Type } from 'typebox';
import type { Context } from '../evaluation/index.ts';

type Given = Readonly<Record<string, unknown>>;

/** Longer than any text that decisions are made of, and short enough to be looked through by each feature. */
const maxLength = 4_000;

/** What is not described is a property of the context, and is bounded as one. */
const bounds = {
  maxProperties: 200,
  propertyNames: { maxLength: 200 },
};

const fields = <S extends TSchema>(text: (description: string) => S) => ({
  userId: Type.Optional(text('Who asks; rollouts stick to it')),
  sessionId: Type.Optional(text('What they stick to without a user')),
  appName: Type.Optional(text('The application')),
  remoteAddress: Type.Optional(
    text(
      'The address of the user; left out: the one that the request came from, unless it came with a token for servers',
    ),
  ),
  currentTime: Type.Optional(text('The time to decide for, as ISO 8601; left out: now')),
  environment: Type.Optional(text('Of an admin token alone: any other is for one environment')),
});

/** As SDKs write a context into the query. */
export const ContextQuerySchema = Type.Object(
  fields((description) => Type.String({ maxLength, description })),
  { ...bounds, additionalProperties: Type.String({ maxLength }) },
);

/** SDKs send what their users gave them: an id is often a number. */
const textInBody = (description: string) =>
  Type.Unsafe<unknown>({ type: ['string', 'number', 'boolean', 'null'], maxLength, description });

/** A context in a body, perhaps with fields of others, each under its description. */
export const contextSchema = (others: Readonly<Record<string, string>> = {}) =>
  Type.Object(
    {
      ...fields(textInBody),
      ...Object.fromEntries(
        Object.entries(others).map(([name, words]) => [name, Type.Optional(textInBody(words))]),
      ),
      properties: Type.Optional(
        Type.Unsafe<Given | null>({
          type: ['object', 'null'],
          description:
            'Texts; numbers and booleans are read as text, and anything else is passed over',
          ...bounds,
          additionalProperties: { maxLength },
        }),
      ),
    },
    { ...bounds, additionalProperties: Type.Unsafe<unknown>({ maxLength }) },
  );

/** What somebody asks for, and who they say they are. */
export interface Asked {
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
export function askedIn(given: Given): Asked {
  const { userId, sessionId, appName, remoteAddress, environment } = given;
  const currentTime = unlessEmpty(given.currentTime);
  const properties = propertiesIn(given);
  return {
    environment: typeof environment === 'string' && environment !== '' ? environment : undefined,
    // The evaluator reads whatever is text, a number or a boolean.
    context: { userId, sessionId, appName, remoteAddress, currentTime, properties } as Context,
  };
}
