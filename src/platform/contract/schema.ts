import { type Static, type TSchema, Type } from 'typebox';

/** The largest value of an integer column. */
export const maxInteger = 2_147_483_647;

export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  description?: string,
) =>
  Type.Unsafe<Values[number]>({
    type: 'string',
    enum: [...values],
    ...(description !== undefined && { description }),
  });

/**
 * An object with arbitrary keys. `Type.Record` would lose keys with a line break, which the dot of its pattern does
 * not match.
 */
export const dictionary = <S extends TSchema>(values: S, description: string) =>
  Type.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    additionalProperties: values,
    description,
  });

/**
 * A name or title: one line of text. Control characters, reversed and invisible text are refused, because a terminal
 * obeys them and people cannot see them. The joiners of Persian words and of emoji are allowed, and characters that
 * a later version of Unicode assigns. Unless it may be empty, a name is not blank.
 */
export const nameText = (options: {
  readonly maxLength: number;
  readonly minLength?: number;
  readonly description?: string;
}) => {
  const { minLength = 1, maxLength, description } = options;
  const length = minLength === 0 ? `at most ${maxLength}` : `${minLength} to ${maxLength}`;
  const notBlank = minLength === 0 ? '' : ', not all of them blank';
  return Type.String({
    ...(minLength > 0 && { minLength }),
    maxLength,
    pattern: `^${minLength === 0 ? '' : '(?=.*\\S|$)'}(?:[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]|[\\u200c\\u200d])*$`,
    'x-fault': `must be ${length} characters${notBlank}, none of them a control character`,
    ...(description !== undefined && { description }),
  });
};

/** Text for people, short enough for a page of a thousand events. */
export const describing = (description?: string) =>
  Type.String({ maxLength: 10_000, ...(description !== undefined && { description }) });

/**
 * A description in a response, null if not set. Responses whose shape the specification defines use an empty string
 * instead.
 */
export const descriptionOrNull = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'Null if there is none',
});

export const instant = Type.String({ format: 'date-time' });

/** A boolean in a query string. */
export const yesNo = oneOf(['true', 'false']);

export const sortOrder = Type.Integer({ minimum: 0, maximum: maxInteger });

/** The keyword that stores the name of a schema. */
export const nameKeyword = 'x-name';

/**
 * Names a schema in the OpenAPI document, which then contains it once, so that generated clients get a type of that
 * name. If the reference has a schema for the same resource, the name is the reference's. Validation and serialisation
 * ignore the name.
 */
export const named = <S extends TSchema>(name: string, schema: S): S =>
  // Copies typebox's hidden properties too, which a spread would lose.
  Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(schema),
      [nameKeyword]: { value: name, enumerable: true },
    },
  ) as S;

/** Values that mean "not requested". */
const none = [null, false, 0, '', [], {}];

/**
 * A property of the reference's requests for something that Burgee lacks. A request that uses it is refused with its
 * name, so that no caller believes it took effect. Omitting it, or sending a value that means none, is allowed.
 */
export const notSupported = (instead?: string) =>
  Type.Optional(
    Type.Unsafe<undefined>({
      enum: none,
      'x-not-supported': true,
      'x-fault': `is not supported${instead === undefined ? '' : `: ${instead}`}`,
      description: `Not supported; rejected unless it is empty, false, or null${instead === undefined ? '' : `: ${instead}`}`,
    }),
  );

/** A moment of the past. */
export const asOf = Type.String({
  maxLength: 40,
  pattern: '^([0-9]{1,15}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2}))$',
  'x-fault': 'must be the ID of an event, or a date and time such as 2026-11-17T14:03:00Z',
  description:
    'The state after the event with this ID, or at this date and time (2026-11-17T14:03:00Z)',
});

/** The query of an endpoint that can read a moment of the past. */
export const atMoment = Type.Object({ asOf: Type.Optional(asOf) });
