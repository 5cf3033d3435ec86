import {
  ActionIcon,
  Autocomplete,
  Button,
  Group,
  MultiSelect,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCopyPlus, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  maxConstraints,
  maxConstraintValues,
} from '../../../../src/modules/catalogue/context-fields/constraint-schema.ts';
import { ApiError, api } from '../../api.ts';
import { capitalized, numberText, plural } from '../../ui/format.ts';
import { isSame } from '../../ui/is-same.ts';
import { fieldTime, readTime, timeZone } from '../../ui/time-zone.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import classes from '../flags.module.css';
import {
  type ContextField,
  choiceOf,
  constraintFault,
  firstOperator,
  itemFault,
  kindOf,
  mayIgnoreCase,
  operandOf,
  operatorGroups,
  splitValues,
  takesList,
  usesLegalValues,
  withChoice,
} from './constraint-check.ts';
import type { Constraint } from './strategy-sentence.ts';

/** The pause in typing after which the server checks a regular expression. */
const pauseMs = 250;

/** What the server says about a regular expression: it alone reads it as SDKs do. */
function usePatternFault({ operator, value = '', contextName }: Constraint): string | undefined {
  const [pattern] = useDebouncedValue(value, pauseMs);
  const asks = operator === 'REGEX' && pattern !== '' && contextName !== '';
  const answer = useQuery({
    queryKey: ['POST /api/admin/constraints/validate', pattern],
    queryFn: async () => {
      try {
        await api('POST /api/admin/constraints/validate', {
          body: { contextName, operator, value: pattern },
        });
        return null;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 400) throw error;
        return capitalized(
          (error.faults[0]?.message ?? error.message)
            .replace(/^\/body\/value /, '')
            .replace(/; you sent .*$/s, ''),
        );
      }
    },
    enabled: asks,
  });
  return asks ? (answer.data ?? undefined) : undefined;
}

interface FieldProps {
  readonly constraint: Constraint;
  readonly field: ContextField | undefined;
  readonly fault: string | undefined;
  readonly onChange: (constraint: Constraint) => void;
  readonly disabled: boolean;
  readonly maxValues: number;
}

/** A list of values: chosen from the legal ones, or typed and pasted. */
function ListField({ constraint, field, fault, onChange, disabled, maxValues }: FieldProps) {
  const { values, operator, contextName } = constraint;
  const legal = usesLegalValues(operator) ? (field?.legalValues ?? []) : [];
  const label = `Values for ${contextName || 'this constraint'}`;
  const set = (next: string[]) => onChange({ ...constraint, values: [...new Set(next)] });
  if (legal.length > 0) {
    const known = new Map(legal.map(({ value, description }) => [value, description]));
    const stray = values.filter((value) => !known.has(value));
    return (
      <MultiSelect
        aria-label={label}
        placeholder={values.length === 0 ? 'Select values' : ''}
        data={[...known.keys(), ...stray]}
        value={values}
        onChange={set}
        searchable
        clearable
        hidePickedOptions
        disabled={disabled}
        error={fault}
        classNames={{ pillsList: classes.manyPills ?? '' }}
        renderOption={({ option }) => (
          <div>
            {option.value}
            {known.get(option.value) && (
              <Text size="xs" className="quiet">
                {known.get(option.value)}
              </Text>
            )}
          </div>
        )}
        description={plural(legal.length, 'legal value')}
      />
    );
  }
  const wrong = values.filter((value) => itemFault(constraint, value) !== undefined);
  return (
    <TagsInput
      aria-label={label}
      placeholder={values.length === 0 ? 'Type a value and press Enter, or paste a list' : ''}
      value={[...values]}
      onChange={(next) => set(next.flatMap(splitValues))}
      splitChars={[',', ';', '\n', '\t']}
      acceptValueOnBlur
      clearable
      disabled={disabled}
      error={fault}
      classNames={{ pillsList: classes.manyPills ?? '' }}
      description={
        <Group gap="xs" component="span">
          <span className="tabular">
            {numberText(values.length)} / {plural(maxValues, 'value')}
          </span>
          {wrong.length > 0 && wrong.length < values.length && (
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => set(values.filter((value) => !wrong.includes(value)))}
            >
              Remove {plural(wrong.length, 'invalid value')}
            </Button>
          )}
        </Group>
      }
    />
  );
}

const placeholders: Readonly<Record<string, string>> = {
  number: '42',
  version: '1.2.3',
  pattern: '^beta-',
};

/** One value, with the help that its kind can have. */
function SingleField({ constraint, field, fault, onChange, disabled }: FieldProps) {
  const { value = '', operator, contextName } = constraint;
  const operand = operandOf(operator);
  const label = `Value for ${contextName || 'this constraint'}`;
  const set = (next: string) => onChange({ ...constraint, value: next });
  if (operand === 'date') {
    return (
      <Group gap="xs" align="flex-start" grow>
        <TextInput
          type="datetime-local"
          aria-label={label}
          description={timeZone() === 'UTC' ? 'UTC' : 'Local time'}
          value={fieldTime(new Date(value))}
          disabled={disabled}
          onChange={({ currentTarget }) => {
            const date = readTime(currentTarget.value);
            set(Number.isNaN(date.getTime()) ? '' : date.toISOString());
          }}
        />
        <TextInput
          aria-label={`${label}, ISO 8601`}
          description="ISO 8601"
          placeholder="2026-01-31T12:00:00Z"
          value={value}
          error={fault}
          disabled={disabled}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      </Group>
    );
  }
  const legal = usesLegalValues(operator) ? (field?.legalValues ?? []) : [];
  if (legal.length > 0) {
    return (
      <Autocomplete
        aria-label={label}
        data={[...new Set(legal.map((each) => each.value))]}
        value={value}
        onChange={set}
        error={fault}
        disabled={disabled}
        description={plural(legal.length, 'legal value')}
      />
    );
  }
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholders[operand] ?? ''}
      value={value}
      error={fault}
      disabled={disabled}
      classNames={{ input: operand === 'pattern' ? (classes.mono ?? '') : '' }}
      spellCheck={false}
      description={
        operand === 'pattern' ? 'RE2 syntax: no lookaround or backreferences' : undefined
      }
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

interface RowProps {
  readonly constraint: Constraint;
  readonly place: number;
  readonly fields: ReadonlyMap<string, ContextField>;
  readonly isStored: boolean;
  readonly disabled: boolean;
  readonly maxValues: number;
  readonly onChange: (constraint: Constraint) => void;
  readonly onDuplicate: () => void;
  readonly onRemove: () => void;
}

function ConstraintRow(props: RowProps) {
  const { constraint, place, fields, isStored, disabled, maxValues } = props;
  const { onChange, onDuplicate, onRemove } = props;
  const field = fields.get(constraint.contextName);
  const kind = kindOf(field ?? { name: constraint.contextName, legalValues: [] });
  const patternFault = usePatternFault(constraint);
  const fault = constraintFault(constraint, field, isStored, maxValues) ?? patternFault;
  const names = [...fields.keys()];
  const hasField = constraint.contextName !== '';
  const input = {
    constraint,
    field,
    fault: hasField ? fault : undefined,
    onChange,
    disabled,
    maxValues,
  };
  return (
    <fieldset className={classes.constraint} aria-label={`Constraint ${place + 1}`}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <div className={classes.constraintFields}>
          <Select
            aria-label="Context field"
            placeholder="Context field"
            error={hasField ? undefined : fault}
            searchable
            allowDeselect={false}
            disabled={disabled}
            data={
              names.includes(constraint.contextName) || constraint.contextName === ''
                ? names
                : [...names, constraint.contextName]
            }
            value={constraint.contextName || null}
            renderOption={({ option }) => (
              <div>
                {option.value}
                <Text size="xs" className="quiet" lineClamp={1}>
                  {fields.get(option.value)?.description}
                </Text>
              </div>
            )}
            onChange={(contextName) => {
              if (!contextName || contextName === constraint.contextName) return;
              const next = fields.get(contextName) ?? { name: contextName, legalValues: [] };
              const operator = firstOperator(kindOf(next));
              onChange({
                contextName,
                operator,
                caseInsensitive: false,
                inverted: false,
                values: [],
                ...(!takesList(operator) && { value: '' }),
              });
            }}
          />
          <Select
            aria-label="Operator"
            searchable
            allowDeselect={false}
            disabled={disabled}
            data={operatorGroups(kind, choiceOf(constraint))}
            value={choiceOf(constraint)}
            onChange={(operator) => {
              if (operator) onChange(withChoice(constraint, operator));
            }}
          />
        </div>
        <Group gap={0} wrap="nowrap">
          <Tooltip label="Duplicate">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Duplicate constraint ${place + 1}`}
              disabled={disabled}
              onClick={onDuplicate}
            >
              <IconCopyPlus size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Remove">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove constraint ${place + 1}`}
              disabled={disabled}
              onClick={onRemove}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <div className={classes.constraintValue}>
          {takesList(constraint.operator) ? <ListField {...input} /> : <SingleField {...input} />}
        </div>
        {mayIgnoreCase(constraint.operator) && (
          <Tooltip label="Ignore case">
            <ActionIcon
              size={36}
              variant={constraint.caseInsensitive ? 'light' : 'subtle'}
              color={constraint.caseInsensitive ? 'teal' : 'gray'}
              aria-label="Ignore case"
              aria-pressed={constraint.caseInsensitive}
              disabled={disabled}
              onClick={() =>
                onChange({ ...constraint, caseInsensitive: !constraint.caseInsensitive })
              }
            >
              Aa
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
    </fieldset>
  );
}

interface Props {
  readonly constraints: readonly Constraint[];
  readonly saved: readonly Constraint[];
  readonly fields: ReadonlyMap<string, ContextField>;
  readonly disabled: boolean;
  /** How many values one constraint may have. */
  readonly maxValues?: number;
  readonly onChange: (constraints: Constraint[]) => void;
}

const emptyConstraint: Constraint = {
  contextName: '',
  operator: 'IN',
  caseInsensitive: false,
  inverted: false,
  values: [],
};

/** The constraints of a strategy or a segment: all must match. */
export function ConstraintsEditor({
  constraints,
  saved,
  fields,
  disabled,
  maxValues = maxConstraintValues,
  onChange,
}: Props) {
  const replace = (place: number, ...next: Constraint[]) =>
    onChange(constraints.toSpliced(place, 1, ...next));
  return (
    <Stack gap="xs">
      {constraints.map((constraint, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a constraint has no identity but its position
        <div key={place}>
          {place > 0 && <div className={classes.or}>and</div>}
          <ConstraintRow
            constraint={constraint}
            place={place}
            fields={fields}
            disabled={disabled}
            maxValues={maxValues}
            isStored={saved.some((each) => isSame(each, constraint))}
            onChange={(next) => replace(place, next)}
            onDuplicate={() => replace(place, constraint, constraint)}
            onRemove={() => replace(place)}
          />
        </div>
      ))}
      <Button
        variant="default"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={disabled || constraints.length >= maxConstraints}
        onClick={() => onChange([...constraints, emptyConstraint])}
      >
        Add constraint
      </Button>
    </Stack>
  );
}
