import { type TSchema, Type } from 'typebox';

/** Longer than any text that affects decisions, and short enough to be searched for each feature. */
const maxLength = 4_000;

/** Undescribed fields are properties of the context, with the same limits. */
const bounds = {
  maxProperties: 200,
  propertyNames: { maxLength: 200 },
};

const fields = <S extends TSchema>(text: (description: string) => S) => ({
  userId: Type.Optional(text('The user; default stickiness of rollouts')),
  sessionId: Type.Optional(text('Stickiness of rollouts without a user')),
  appName: Type.Optional(text('Name of the application')),
  remoteAddress: Type.Optional(
    text(
      'IP address of the user; default: the address of the request, unless it uses a client token',
    ),
  ),
  currentTime: Type.Optional(text('The time to evaluate for, as ISO 8601; default: now')),
  environment: Type.Optional(text('Only for an admin token; other tokens have one environment')),
});

/** A context in a query, as SDKs write it. */
export const ContextQuerySchema = Type.Object(
  fields((description) => Type.String({ maxLength, description })),
  { ...bounds, additionalProperties: Type.String({ maxLength }) },
);

/** SDKs send values as their users set them: an id is often a number. */
const textInBody = (description: string) =>
  Type.Unsafe<unknown>({ type: ['string', 'number', 'boolean', 'null'], maxLength, description });

/** A context in a body. `others` describes further fields. */
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
          description: 'Strings; numbers and booleans are converted, anything else is ignored',
          ...bounds,
          additionalProperties: { maxLength },
        }),
      ),
    },
    { ...bounds, additionalProperties: Type.Unsafe<unknown>({ maxLength }) },
  );
