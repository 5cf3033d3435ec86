import { Errors } from 'typebox/schema';
import { capitalized } from './format.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The value at a JSON pointer: `/legalValues/0/value`. */
const valueAt = (root: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Fields | null | undefined)?.[key], root);

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

export interface FieldFault {
  /** As a form names its fields: `legalValues.0.value`. */
  readonly field: string;
  readonly message: string;
  /** Whether the field is not filled in yet. */
  readonly isMissing: boolean;
}

interface BrokenSchema {
  readonly 'x-fault'?: string;
  readonly properties?: Readonly<Record<string, object>>;
}

/** The field of a form for a JSON pointer into a body. */
export const fieldAt = (pointer: string): string => pointer.slice(1).replaceAll('/', '.');

/**
 * What a schema of the contracts finds wrong in a body, at most one fault for each field. It interprets the schema: the
 * Content-Security-Policy allows no generated code.
 */
export function schemaFaults(schema: object, body: unknown): readonly FieldFault[] {
  const [, errors] = Errors(schema, body);
  const found = errors.flatMap(({ keyword, instancePath, schemaPath, params, message }) => {
    const broken = valueAt(schema, schemaPath.slice(1)) as BrokenSchema | undefined;
    // In the words of the contract, where it has some.
    const words = keyword === 'required' ? 'required' : (broken?.['x-fault'] ?? message);
    const pointers =
      keyword === 'required'
        ? params.requiredProperties
            // The server fills in what has a default.
            .filter((name) => !('default' in (broken?.properties?.[name] ?? {})))
            .map((name) => `${instancePath}/${name}`)
        : [instancePath];
    return pointers.map((pointer) => ({
      field: fieldAt(pointer),
      message: capitalized(words),
      isMissing: isEmpty(valueAt(body, pointer)),
    }));
  });
  return [...new Map(found.toReversed().map((fault) => [fault.field, fault])).values()];
}
