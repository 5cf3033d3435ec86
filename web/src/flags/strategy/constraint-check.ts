import {
  maxConstraintValues,
  operands,
} from '../../../../src/modules/catalogue/context-fields/constraint-schema.ts';
import {
  isDateText,
  isNetworkText,
  isNumberText,
  isVersionText,
  maxPatternLength,
} from '../../../../src/modules/catalogue/context-fields/value-schema.ts';
import type { Response } from '../../api.ts';
import { agree, joinAnd, limit } from '../../ui/format.ts';
import type { Constraint } from './strategy-sentence.ts';

export type ContextField = Response<'GET /api/admin/context'>[number];
type Operator = Constraint['operator'];

/** What the values of a field are, as far as it is known. */
export type FieldKind = 'text' | 'number' | 'version' | 'date' | 'network';

/** The operators of each kind; the first is the one to begin with. */
const operatorsByKind: Readonly<Record<FieldKind, readonly Operator[]>> = {
  text: ['IN', 'NOT_IN', 'STR_CONTAINS', 'STR_STARTS_WITH', 'STR_ENDS_WITH', 'REGEX'],
  number: ['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'],
  version: ['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE'],
  date: ['DATE_AFTER', 'DATE_BEFORE'],
  network: ['IN_CIDR'],
};

const kindNames: Readonly<Record<FieldKind, string>> = {
  text: 'Text',
  number: 'Number',
  version: 'Version',
  date: 'Date',
  network: 'IP address',
};

/** In the list of operators, where the words of a sentence would be ambiguous. */
const operatorNames: Readonly<Record<Operator, string>> = {
  IN: 'is one of',
  NOT_IN: 'is not one of',
  STR_CONTAINS: 'contains',
  STR_STARTS_WITH: 'starts with',
  STR_ENDS_WITH: 'ends with',
  REGEX: 'matches regex',
  NUM_EQ: 'number =',
  NUM_GT: 'number >',
  NUM_GTE: 'number ≥',
  NUM_LT: 'number <',
  NUM_LTE: 'number ≤',
  SEMVER_EQ: 'version =',
  SEMVER_GT: 'version >',
  SEMVER_GTE: 'version ≥',
  SEMVER_LT: 'version <',
  SEMVER_LTE: 'version ≤',
  DATE_AFTER: 'is after',
  DATE_BEFORE: 'is before',
  IN_CIDR: 'is in IP range (CIDR)',
};

/** The negations that are offered. `≤` says the opposite of `>`, and `IN` and `NOT_IN` are each other's. */
const negatedNames: Readonly<Partial<Record<Operator, string>>> = {
  STR_CONTAINS: 'does not contain',
  STR_STARTS_WITH: 'does not start with',
  STR_ENDS_WITH: 'does not end with',
  REGEX: 'does not match regex',
  NUM_EQ: 'number ≠',
  SEMVER_EQ: 'version ≠',
  DATE_AFTER: 'is not after',
  DATE_BEFORE: 'is not before',
  IN_CIDR: 'is not in IP range (CIDR)',
};

const opposites: Readonly<Partial<Record<Operator, Operator>>> = { IN: 'NOT_IN', NOT_IN: 'IN' };

/** An operator, with `!` before it where it is negated. */
type OperatorChoice = Operator | `!${Operator}`;

/** What the list of operators shows for a constraint. */
export const choiceOf = ({
  operator,
  inverted,
}: Pick<Constraint, 'operator' | 'inverted'>): OperatorChoice =>
  inverted ? (opposites[operator] ?? `!${operator}`) : operator;

const choiceParts = (choice: OperatorChoice) => ({
  operator: choice.replace('!', '') as Operator,
  inverted: choice.startsWith('!'),
});

const choiceName = (choice: OperatorChoice): string => {
  const { operator, inverted } = choiceParts(choice);
  if (!inverted) return operatorNames[operator];
  return negatedNames[operator] ?? `not: ${operatorNames[operator]}`;
};

/** By its name where SDKs set it, else by its legal values. */
export function kindOf(field: Pick<ContextField, 'name' | 'legalValues'>): FieldKind {
  if (field.name === 'currentTime') return 'date';
  if (field.name === 'remoteAddress') return 'network';
  const values = field.legalValues.map(({ value }) => value);
  if (values.length === 0) return /version$/i.test(field.name) ? 'version' : 'text';
  if (values.every(isNumberText)) return 'number';
  if (values.every(isVersionText)) return 'version';
  return 'text';
}

/** The kinds that make sense for a kind of field, the likeliest first. */
const kindsFor: Readonly<Record<FieldKind, readonly FieldKind[]>> = {
  text: ['text', 'number', 'version', 'date', 'network'],
  number: ['number', 'text'],
  version: ['version', 'text'],
  date: ['date'],
  network: ['network', 'text'],
};

/** The operators that a field offers, in groups. The current one is always among them. */
export function operatorGroups(kind: FieldKind, current?: OperatorChoice) {
  const item = (choice: OperatorChoice) => ({ value: choice, label: choiceName(choice) });
  const groups = kindsFor[kind].map((each) => ({
    group: kindNames[each],
    items: operatorsByKind[each].flatMap((operator) =>
      negatedNames[operator] === undefined
        ? [item(operator)]
        : [item(operator), item(`!${operator}`)],
    ),
  }));
  const isOffered = groups.some(({ items }) => items.some(({ value }) => value === current));
  return current === undefined || isOffered
    ? groups
    : [{ group: 'Current', items: [item(current)] }, ...groups];
}

export const firstOperator = (kind: FieldKind): Operator =>
  operatorsByKind[kind][kind === 'version' ? 2 : 0] as Operator;

export const operandOf = (operator: Operator) => operands[operator];

const lists: readonly string[] = ['list', 'parts', 'networks'];

/** Whether an operator compares with a list of values, or with one. */
export const takesList = (operator: Operator): boolean => lists.includes(operands[operator]);

/** Whether upper and lower case can count the same. */
export const mayIgnoreCase = (operator: Operator): boolean =>
  operands[operator] === 'parts' || operands[operator] === 'pattern';

/** Whether the legal values of a field are meant: not for parts, patterns and ranges. */
export const usesLegalValues = (operator: Operator): boolean =>
  !['parts', 'pattern', 'networks', 'date'].includes(operands[operator]);

/** Another operator for a constraint, with those of its values that mean something to it. */
export function withOperator(constraint: Constraint, operator: Operator): Constraint {
  const { value: _, ...rest } = constraint;
  const caseInsensitive = mayIgnoreCase(operator) && constraint.caseInsensitive;
  if (takesList(operator)) {
    const values = takesList(constraint.operator)
      ? constraint.values
      : constraint.value
        ? [constraint.value]
        : [];
    return { ...rest, operator, caseInsensitive, values };
  }
  const single = takesList(constraint.operator) ? constraint.values[0] : constraint.value;
  const isFitting =
    single !== undefined && itemFault({ ...constraint, operator }, single) === undefined;
  return { ...rest, operator, caseInsensitive, values: [], value: isFitting ? single : '' };
}

/** The same for what the list of operators offers. */
export function withChoice(constraint: Constraint, choice: OperatorChoice): Constraint {
  const { operator, inverted } = choiceParts(choice);
  return { ...withOperator(constraint, operator), inverted };
}

/** Why one value is invalid; undefined if it is valid. */
export function itemFault(
  { operator }: Pick<Constraint, 'operator'>,
  text: string,
): string | undefined {
  switch (operands[operator]) {
    case 'list':
      return undefined;
    case 'parts':
      return text.trim() === '' ? 'A blank value matches everything' : undefined;
    case 'networks':
      return isNetworkText(text)
        ? undefined
        : `“${text}” isn't an IP address or CIDR range. Try 10.0.0.0/8 or 2001:db8::/32`;
    case 'number':
      return isNumberText(text) ? undefined : 'Enter a number, e.g. 42 or -1.5';
    case 'date':
      return isDateText(text)
        ? undefined
        : 'Enter a date and time with a time zone, e.g. 2026-01-31T12:00:00Z';
    case 'version':
      return isVersionText(text) ? undefined : 'Enter a semantic version, e.g. 1.2.3 or 2.0.0-rc.1';
    case 'pattern':
      if (text === '') return 'Enter a regular expression';
      return text.length > maxPatternLength
        ? limit(maxPatternLength, text.length, 'character')
        : undefined;
  }
}

/** Why a value that was typed is not allowed for its field. */
const illegal = (constraint: Constraint, field: ContextField | undefined): string | undefined => {
  const legal = field?.legalValues ?? [];
  if (legal.length === 0 || !usesLegalValues(constraint.operator)) return undefined;
  const allowed = new Set(legal.map(({ value }) => value));
  const named = takesList(constraint.operator) ? constraint.values : [constraint.value ?? ''];
  const wrong = named.filter((each) => !allowed.has(each));
  if (wrong.length === 0) return undefined;
  return `${joinAnd(wrong, 3)} ${agree(wrong.length, "isn't a legal value", "aren't legal values")} of ${constraint.contextName}`;
};

/**
 * What is wrong with a constraint; undefined if nothing is. The server also reads expressions, as RE2 does. A stored
 * constraint may keep values that were legal once.
 */
export function constraintFault(
  constraint: Constraint,
  field?: ContextField,
  isStored = false,
  maxValues = maxConstraintValues,
): string | undefined {
  const { operator, values, value = '', contextName } = constraint;
  if (contextName === '') return 'Select a context field';
  if (!takesList(operator)) {
    return itemFault(constraint, value) ?? (isStored ? undefined : illegal(constraint, field));
  }
  if (values.length === 0) {
    return operands[operator] === 'list'
      ? operator === 'NOT_IN'
        ? undefined
        : 'Add a value. Without one, this constraint never matches.'
      : 'Add at least one value';
  }
  if (values.length > maxValues) {
    return maxValues > maxConstraintValues
      ? limit(maxValues, values.length, 'value')
      : `${limit(maxValues, values.length, 'value')}. Use a segment for longer lists.`;
  }
  for (const item of values) {
    const fault = itemFault(constraint, item);
    if (fault !== undefined) return fault;
  }
  return isStored ? undefined : illegal(constraint, field);
}

/** Pasted text as values: one for each line, or between commas. */
export const splitValues = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,;\t]/)
      .map((each) => each.trim().replace(/^"(.*)"$/, '$1'))
      .filter((each) => each !== ''),
  ),
];
