import { Type } from 'typebox';

/** A context with one value for each field, or several. */
export const contextOf = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    maxProperties: 100,
    properties: {
      userId: {},
      sessionId: {},
      remoteAddress: {},
      appName: {},
      currentTime: {},
      environment: {},
      properties: {},
    },
    additionalProperties: true,
    description,
  });

export const context = contextOf(
  'Context, as SDKs send it. If fields have several values, as a list or separated by commas, every combination of values ' +
    'is evaluated; `currentTime` is not split at commas',
);

export const warnings = Type.Optional(
  Type.Object(
    {
      invalidContextProperties: Type.Array(Type.String(), {
        description: 'Ignored fields, whose values are not a string, number, or boolean',
      }),
    },
    { description: 'Omitted if there is none' },
  ),
);
