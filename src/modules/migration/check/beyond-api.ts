import { maxItems } from '../../../platform/http/storable.ts';
import { maxSegmentValues, type SetConstraint } from '../../catalogue/context-fields/index.ts';

/** As long as the longest description that the API takes. */
const maxText = 10_000;
const maxConstraints = 250;

type Json = Readonly<Record<string, unknown>>;

const valueAt = (body: unknown, tokens: readonly string[]): unknown =>
  tokens.reduce<unknown>((value, token) => (value as Json | undefined)?.[token], body);

const isShortText = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= maxText;

const areShort = (constraints: unknown): boolean =>
  Array.isArray(constraints) &&
  constraints.length <= maxConstraints &&
  (constraints as SetConstraint[]).reduce((sum, { values = [] }) => sum + values.length, 0) <=
    maxSegmentValues;

/** An operand that SDKs cannot read never matches, there as here. The operator itself must be known. */
function isOperand(constraint: unknown): boolean {
  const { value = '', values = [] } = constraint as SetConstraint;
  return isShortText(value) && values.length <= maxSegmentValues && values.every(isShortText);
}

interface Exception {
  readonly path: RegExp;
  readonly allows: (value: unknown, parent: unknown, grandparent: unknown) => boolean;
}

/**
 * What Unleash accepts, or accepted once, and our API does not. It is imported as it is: a feature must not be lost, or
 * decide otherwise, because of it. Each exception has a bound of its own. The types of values are known to be right.
 */
const exceptions: readonly Exception[] = [
  // Unleash limits no texts for people.
  {
    path: /\/(description|title)$/,
    allows: (value) => isShortText(value) && /^[\P{C}\s\u200c\u200d]*$/u.test(value as string),
  },
  // Versions without limits, and limits that the operator has raised.
  { path: /(^|\/)constraints$/, allows: areShort },
  {
    path: /(^|\/)constraints\/\d+\/value$/,
    allows: (_value, constraint) => isOperand(constraint),
  },
  {
    path: /(^|\/)constraints\/\d+\/values$/,
    allows: (_values, constraint) => isOperand(constraint),
  },
  {
    path: /(^|\/)constraints\/\d+\/values\/\d+$/,
    allows: (_item, _values, constraint) => isOperand(constraint),
  },
  {
    path: /\/legalValues$/,
    allows: (values) => Array.isArray(values) && values.length <= maxItems,
  },
  // A percentage may have decimals there.
  { path: /^\/parameters\/rollout$/, allows: isShortText },
  // Earlier versions did not compare a payload with its type.
  { path: /\/payload\/value$/, allows: (value) => typeof value === 'string' },
  // A later version may have types of events that no one records here.
  {
    path: /^\/events\/\d+$/,
    allows: (type) => typeof type === 'string' && /^[a-z\d-]{1,100}$/.test(type),
  },
];

/** Whether a value that the API would refuse is imported nevertheless. `field` is its path in the body. */
export function isBeyondApi(field: string, body: unknown): boolean {
  const tokens = field.split('/').slice(1);
  const up = (levels: number) =>
    valueAt(body, tokens.slice(0, Math.max(0, tokens.length - levels)));
  return exceptions.some(({ path, allows }) => path.test(field) && allows(up(0), up(1), up(2)));
}
