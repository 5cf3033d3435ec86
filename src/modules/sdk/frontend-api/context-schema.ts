import { type TSchema, Type } from 'typebox';

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
        Type.Unsafe<Readonly<Record<string, unknown>> | null>({
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
