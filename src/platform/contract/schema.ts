import { type Static, type TSchema, Type } from 'typebox';

/** Largest integer that a column of the database holds. */
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

/** `Type.Record` would lose keys with a line break: its pattern's dot does not match one. */
export const dictionary = <S extends TSchema>(values: S, description: string) =>
  Type.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    additionalProperties: values,
    description,
  });

/** Text for people: as much as anybody reads, and little enough for a page of a thousand events. */
export const describing = (description?: string) =>
  Type.String({ maxLength: 10_000, ...(description !== undefined && { description }) });

/** As answers tell it, but for those of the specification, where a description that was never given is empty. */
export const descriptionOrNull = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'Null if there is none',
});

export const instant = Type.String({ format: 'date-time' });

/** A yes or no in a query string. */
export const yesNo = oneOf(['true', 'false']);

export const sortOrder = Type.Integer({ minimum: 0, maximum: maxInteger });

/** Under which a schema carries its name. */
export const nameKeyword = 'x-name';

/**
 * A schema that has a name in the OpenAPI document, where it stands once, so that generated clients have a type
 * of that name. Where the reference has a schema for the same thing, the name is the reference's. Nothing else
 * reads it: requests are validated, and answers written, by the schema itself.
 */
export const named = <S extends TSchema>(name: string, schema: S): S =>
  // With what typebox hides in properties that a spread would lose.
  Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(schema),
      [nameKeyword]: { value: name, enumerable: true },
    },
  ) as S;

/** Values by which somebody says that they do not want something. */
const none = [null, false, 0, '', [], {}];

/**
 * A property of the reference's requests for something that is not there. It is refused by name: nobody shall
 * believe that it was done. Left out, or with a value that means none, it is nothing.
 */
export const notSupported = (instead?: string) =>
  Type.Optional(
    Type.Unsafe<undefined>({
      enum: none,
      'x-not-supported': true,
      'x-fault': `is not supported${instead === undefined ? '' : `: ${instead}`}`,
      description: `Not supported; rejected unless it is empty, false or null${instead === undefined ? '' : `: ${instead}`}`,
    }),
  );
