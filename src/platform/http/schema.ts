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
  description: 'Null: nobody gave one',
});

export const instant = Type.String({ format: 'date-time' });

/** A yes or no in a query string. */
export const yesNo = oneOf(['true', 'false']);

export const sortOrder = Type.Integer({ minimum: 0, maximum: maxInteger });
