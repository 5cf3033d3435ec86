import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../../platform/db/database.ts';
import type { Fault } from '../../../platform/errors.ts';
import { type Constraint, operands } from './constraint-schema.ts';
import { findLegalValues } from './queries.ts';

interface NamedValue {
  readonly field: string;
  readonly value: string;
  readonly path: string;
}

/** Operators whose values are not whole values. */
const unspecific: readonly string[] = ['parts', 'pattern', 'networks'];

/** The whole values in a constraint, without parts, patterns and ranges. */
function namedValues(constraint: Constraint, path: string): NamedValue[] {
  const { contextName: field, operator, values, value } = constraint;
  const operand = operands[operator];
  if (operand === 'list') {
    return values.map((item, index) => ({ field, value: item, path: `${path}/values/${index}` }));
  }
  if (unspecific.includes(operand) || value === undefined) return [];
  return [{ field, value, path: `${path}/value` }];
}

/** Legal values by context field. */
export type Legal = ReadonlyMap<string, readonly { readonly value: string }[]>;

async function faultsOf(
  db: Db,
  named: readonly NamedValue[],
  coming: Legal = new Map(),
): Promise<Fault[]> {
  if (named.length === 0) return [];
  const fields = [...new Set(named.map(({ field }) => field))];
  const announced = [...coming].filter(([, values]) => values.length > 0);
  return illegal(named, new Map([...announced, ...(await findLegalValues(db, fields))]));
}

function illegal(named: readonly NamedValue[], legal: Legal): Fault[] {
  const allowed = new Map(
    [...legal].map(([field, values]) => [field, new Set(values.map(({ value }) => value))]),
  );
  return named.flatMap(({ field, value, path }) => {
    const values = allowed.get(field);
    if (!values || values.has(value)) return [];
    const some = [...values].slice(0, 10).join(', ');
    const more = values.size > 10 ? ` and ${values.size - 10} more` : '';
    return [
      {
        path,
        message: `${path} '${value.slice(0, 100)}' is not a legal value of the context field '${field}'. Legal values are ${some}${more}`,
      },
    ];
  });
}

/** The same as `legalValueFaults`, for callers that have read the legal values of all fields. */
export const illegalValueFaults = (
  legal: Legal,
  constraints: readonly Constraint[],
  path: string,
): Fault[] =>
  illegal(
    constraints.flatMap((constraint, index) => namedValues(constraint, `${path}/${index}`)),
    legal,
  );

/**
 * Faults of values that are not legal for their field. A field without legal values, or an unknown one, takes any
 * value. Stored constraints may stay: a value that was legal once must not block other changes. `coming` are fields
 * about to be created, with their legal values.
 */
export async function legalValueFaults(
  db: Db,
  constraints: readonly Constraint[],
  path: string,
  before: readonly Constraint[] = [],
  coming: Legal = new Map(),
): Promise<Fault[]> {
  const isNew = (constraint: Constraint) =>
    !before.some((existing) => isDeepStrictEqual(existing, constraint));
  const named = constraints.flatMap((constraint, index) =>
    isNew(constraint) ? namedValues(constraint, `${path}/${index}`) : [],
  );
  return faultsOf(db, named, coming);
}

/** The same for one constraint at this path. */
export const legalValueFaultsOf = (
  db: Db,
  constraint: Constraint,
  path: string,
): Promise<Fault[]> => faultsOf(db, namedValues(constraint, path));
