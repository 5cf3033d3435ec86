import type { Fault } from '../../../platform/errors.ts';
import { expressionFault } from '../../../platform/regular-expression.ts';
import { operands, type SetConstraint } from './constraint-schema.ts';
import { createReader } from './expressions.ts';
import {
  isDateText,
  isNetworkText,
  isNumberText,
  isVersionText,
  maxPatternLength,
} from './value-schema.ts';

const sent = (text: string): string => {
  const quoted = JSON.stringify(text);
  return `you sent ${quoted.length > 80 ? `${quoted.slice(0, 77)}...` : quoted}`;
};

/** Why an expression cannot be used; undefined if it can. */
type Reader = (expression: string) => string | undefined;

function patternFault(pattern: string, read: Reader): string | undefined {
  if (pattern === '') return 'must not be an empty regular expression';
  if (pattern.length > maxPatternLength) {
    return `must be at most ${maxPatternLength} characters long, not ${pattern.length}`;
  }
  const reason = read(pattern);
  return reason && `must be a valid RE2 expression (no lookaround or backreferences): ${reason}`;
}

/** The fault of a list item, by the operand of the operator. */
const itemFault: Readonly<Record<'parts' | 'networks', (text: string) => string | undefined>> = {
  parts: (text) => (text.trim() === '' ? 'must not be blank for' : undefined),
  networks: (text) =>
    isNetworkText(text)
      ? undefined
      : 'must be an IP address or CIDR range, such as 10.0.0.0/8 or 2001:db8::/32, for',
};

/** The fault of a single value, by the operand of the operator. */
const valueFault: Readonly<
  Record<
    'number' | 'date' | 'version' | 'pattern',
    (text: string, read: Reader) => string | undefined
  >
> = {
  number: (text) => (isNumberText(text) ? undefined : 'must be a number, such as 42 or -1.5'),
  date: (text) =>
    isDateText(text)
      ? undefined
      : 'must be a date and time with a time zone, such as 2026-01-31T12:00:00Z',
  version: (text) =>
    isVersionText(text) ? undefined : 'must be a semantic version, such as 1.2.3 or 2.0.0-rc.1',
  pattern: patternFault,
};

/** The faults that keep SDKs from evaluating a constraint. */
export function faultsOfConstraint(
  { operator, values = [], value }: Partial<SetConstraint>,
  path: string,
  read: Reader = expressionFault,
): Fault[] {
  // The schema has already reported these parts of the body.
  const operand = operator && operands[operator];
  if (operand === undefined || operand === 'list') return [];
  if (operand === 'parts' || operand === 'networks') {
    const at = `${path}/values`;
    if (values.length === 0) {
      return [
        { path: at, message: `${at} must have at least one item for ${operator}; you sent none` },
      ];
    }
    return values.flatMap((item, index) => {
      const [place, fault] = [`${at}/${index}`, itemFault[operand](item)];
      if (fault === undefined) return [];
      return [{ path: place, message: `${place} ${fault} ${operator}; ${sent(item)}` }];
    });
  }
  const at = `${path}/value`;
  if (value === undefined) {
    const instead = values.length > 0 ? ', not values' : '';
    return [{ path: at, message: `${at} is missing: ${operator} requires a value${instead}` }];
  }
  const fault = valueFault[operand](value, read);
  return fault === undefined
    ? []
    : [{ path: at, message: `${at} ${fault} (${operator}); ${sent(value)}` }];
}

/** Faults that a schema cannot express: whether values fit the operators of their constraints. */
export const constraintFaults = (
  constraints: readonly SetConstraint[],
  path: string,
  read: Reader = createReader(),
): Fault[] =>
  constraints.flatMap((constraint, index) =>
    faultsOfConstraint(constraint, `${path}/${index}`, read),
  );
