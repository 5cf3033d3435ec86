import type { Constraint } from '../../flags/strategy/strategy-sentence.ts';
import type { PlaygroundContext } from './contexts.ts';

const compare = (a: readonly number[], b: readonly number[]): number => {
  for (let place = 0; place < Math.max(a.length, b.length); place += 1) {
    const difference = (a[place] ?? 0) - (b[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** The main numbers of a version: enough to choose an example. */
const versionOf = (text: string): number[] => (text.split(/[-+]/)[0] ?? '').split('.').map(Number);

const orders: Readonly<Record<string, (difference: number) => boolean>> = {
  EQ: (difference) => difference === 0,
  GT: (difference) => difference > 0,
  AFTER: (difference) => difference > 0,
  GTE: (difference) => difference >= 0,
  LT: (difference) => difference < 0,
  BEFORE: (difference) => difference < 0,
  LTE: (difference) => difference <= 0,
};

function differenceOf(kind: string, text: string, other: string): number {
  if (kind === 'NUM') return Number(text) - Number(other);
  if (kind === 'DATE') return Date.parse(text) - Date.parse(other);
  return compare(versionOf(text), versionOf(other));
}

/** Whether a value meets a constraint, as far as that decides whether it is a good example. The server decides. */
function meets(constraint: Constraint, text: string): boolean {
  const { operator, values, value = '', caseInsensitive, inverted } = constraint;
  const folded = (each: string) => (caseInsensitive ? each.toLowerCase() : each);
  const some = (test: (own: string) => boolean) => values.some((each) => test(folded(each)));
  const [kind = '', order = ''] = operator.split(/_(.*)/s);
  const plainly = () => {
    switch (operator) {
      case 'IN':
        return values.includes(text);
      case 'NOT_IN':
        return !values.includes(text);
      case 'STR_CONTAINS':
        return some((each) => folded(text).includes(each));
      case 'STR_STARTS_WITH':
        return some((each) => folded(text).startsWith(each));
      case 'STR_ENDS_WITH':
        return some((each) => folded(text).endsWith(each));
      case 'IN_CIDR':
        return some((each) => each.split('/')[0] === text);
      case 'REGEX':
        return text === value;
      default:
        return orders[order]?.(differenceOf(kind, text, value)) ?? false;
    }
  };
  return plainly() !== inverted;
}

const stepped = (value: string): string[] => {
  const number = Number(value);
  return Number.isFinite(number) ? [number - 1, number, number + 1].map(String) : [];
};

const dayMs = 86_400_000;

const around = (value: string): string[] => {
  const time = Date.parse(value);
  if (Number.isNaN(time)) return [];
  return [time - dayMs, time, time + dayMs].map((each) => new Date(each).toISOString());
};

const versionsAround = (value: string): string[] => {
  const [major = 0, ...rest] = versionOf(value);
  const tail = [rest[0] ?? 0, rest[1] ?? 0].join('.');
  return [`${Math.max(0, major - 1)}.${tail}`, '0.0.0', value, `${major + 1}.${tail}`];
};

/** Values near the border that a constraint draws. */
function candidatesOf({ operator, values, value = '' }: Constraint): string[] {
  const other = 'something-else';
  if (operator.startsWith('NUM_')) return stepped(value);
  if (operator.startsWith('DATE_')) return around(value);
  if (operator.startsWith('SEMVER_')) return versionsAround(value);
  if (operator === 'IN_CIDR') {
    return [...values.map((each) => each.split('/')[0] ?? each), '192.0.2.1', '203.0.113.1'];
  }
  return operator === 'REGEX' ? [other] : [...values, other];
}

/** A comma would make two values of it. */
const asValue = (text: string): string | string[] => (text.includes(',') ? [text] : text);

/** The legal values of context fields. */
export type LegalValues = ReadonlyMap<string, readonly string[]>;

/** More would not help. */
const maxBroken = 9;

/**
 * Contexts to try a segment with: the first meets all of its constraints, and each of the others breaks one of them.
 * A field for which no value was found is empty.
 */
export function contextsOfSegment(
  constraints: readonly Constraint[],
  legalValues: LegalValues = new Map(),
): PlaygroundContext[] {
  const fields = [...new Set(constraints.map(({ contextName }) => contextName))];
  const example = (field: string, broken?: Constraint): string => {
    const own = constraints.filter(({ contextName }) => contextName === field);
    const fits = (text: string) => own.every((each) => meets(each, text) === (each !== broken));
    // A value that occurs in reality is a better example than an invented one.
    const real = legalValues.get(field) ?? [];
    return [...real, ...own.flatMap(candidatesOf)].find(fits) ?? '';
  };
  const good = Object.fromEntries(fields.map((field) => [field, asValue(example(field))]));
  const breaking = constraints.slice(0, maxBroken).map((constraint) => ({
    ...good,
    [constraint.contextName]: asValue(example(constraint.contextName, constraint)),
  }));
  const different = new Map([good, ...breaking].map((each) => [JSON.stringify(each), each]));
  return [...different.values()];
}
