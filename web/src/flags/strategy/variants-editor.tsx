import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { distributeWeights } from '../../../../src/modules/catalogue/strategy-types/variant-weights.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import classes from '../flags.module.css';
import type { ContextField } from './constraint-check.ts';
import { percentOf } from './differences.ts';
import { type Override, OverridesEditor } from './overrides-editor.tsx';
import { type Problem, payloadFault } from './strategy-check.ts';
import type { Variant } from './strategy-sentence.ts';
import { VariantBar, variantColor } from './variant-bar.tsx';

const payloadTypes = [
  { value: '', label: 'No payload' },
  { value: 'string', label: 'Text' },
  { value: 'json', label: 'JSON' },
  { value: 'csv', label: 'CSV' },
  { value: 'number', label: 'Number' },
];

const examples: Readonly<Record<string, string>> = {
  string: 'Text',
  json: '{"color": "blue"}',
  csv: 'a,b,c',
  number: '42',
};

/** JSON with line breaks; as it is where it is no JSON. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Variants of a feature may have overrides, those of a strategy have none. */
type Overridable = Variant & { overrides?: Override[] };

interface RowProps<V extends Overridable> {
  readonly variant: V;
  readonly fields: ReadonlyMap<string, ContextField>;
  readonly place: number;
  readonly problems: readonly Problem[];
  readonly disabled: boolean;
  readonly onChange: (variant: V) => void;
  readonly onRemove: () => void;
}

function VariantRow<V extends Overridable>(props: RowProps<V>) {
  const { variant, fields, place, problems, disabled, onChange, onRemove } = props;
  const { name, weight, weightType, payload } = variant;
  const isFixed = weightType === 'fix';
  const problem = problems.find(({ path }) => path === `variants/${place}/name`);
  const setPayload = (type: string, value: string) => {
    const { payload: _, ...rest } = variant;
    onChange((type === '' ? rest : { ...rest, payload: { type, value } }) as V);
  };
  return (
    <fieldset
      className={classes.constraint}
      aria-label={`Variant ${name || place + 1}`}
      style={{ '--variant-color': variantColor(place) } as CSSProperties}
      data-colored
    >
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <TextInput
          aria-label={`Variant ${place + 1} name`}
          placeholder="Name"
          flex={1}
          value={name}
          error={problem?.message}
          disabled={disabled}
          maxLength={100}
          onChange={({ currentTarget }) => onChange({ ...variant, name: currentTarget.value })}
        />
        {isFixed ? (
          <NumberInput
            aria-label={`Variant ${place + 1} weight (%)`}
            w={110}
            suffix="%"
            decimalScale={1}
            min={0}
            max={100}
            step={5}
            value={weight / 10}
            disabled={disabled}
            onChange={(percent) =>
              onChange({
                ...variant,
                weight: Math.min(1000, Math.max(0, Math.round(Number(percent) * 10))),
              })
            }
          />
        ) : (
          <Text size="sm" w={110} mt={7} className="quiet tabular">
            Auto {percentOf(weight)}
          </Text>
        )}
        <Tooltip label="Remove">
          <ActionIcon
            mt={4}
            variant="subtle"
            color="gray"
            aria-label={`Remove variant ${name || place + 1}`}
            disabled={disabled}
            onClick={onRemove}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      <Group gap="xs" align="center">
        <Select
          aria-label={`Payload type of variant ${name || place + 1}`}
          w={140}
          size="xs"
          allowDeselect={false}
          data={payloadTypes}
          value={payload?.type ?? ''}
          disabled={disabled}
          onChange={(type) => setPayload(type ?? '', payload?.value ?? '')}
        />
        <Switch
          size="xs"
          label="Fixed weight"
          checked={isFixed}
          disabled={disabled}
          onChange={({ currentTarget }) =>
            onChange({ ...variant, weightType: currentTarget.checked ? 'fix' : 'variable' })
          }
        />
      </Group>
      {payload && (
        <Textarea
          aria-label={`Payload value of ${name || `variant ${place + 1}`}`}
          autosize
          minRows={payload.type === 'json' ? 3 : 1}
          maxRows={12}
          classNames={{ input: payload.type === 'string' ? '' : (classes.mono ?? '') }}
          placeholder={examples[payload.type] ?? ''}
          value={payload.value}
          error={payloadFault(payload)}
          disabled={disabled}
          onChange={({ currentTarget }) => setPayload(payload.type, currentTarget.value)}
          onBlur={() => {
            if (payload.type === 'json') setPayload('json', formatted(payload.value));
          }}
        />
      )}
      {variant.overrides && (
        <OverridesEditor
          variant={name || String(place + 1)}
          overrides={variant.overrides}
          fields={fields}
          disabled={disabled}
          onChange={(overrides) => onChange({ ...variant, overrides })}
        />
      )}
    </fieldset>
  );
}

interface Props<V extends Overridable> {
  readonly variants: readonly V[];
  readonly fields: ReadonlyMap<string, ContextField>;
  readonly problems: readonly Problem[];
  readonly stickinessChoices: readonly string[];
  readonly disabled: boolean;
  readonly make: (name: string, stickiness: string) => V;
  readonly onChange: (variants: V[]) => void;
}

const maxVariants = 100;

/** Variants with their weights: variable ones split what the fixed ones leave. */
export function VariantsEditor<V extends Overridable>(props: Props<V>) {
  const { variants, fields, problems, stickinessChoices, disabled, make, onChange } = props;
  const set = (next: readonly V[]) => onChange(distributeWeights(next));
  const stickiness = variants[0]?.stickiness ?? 'default';
  const weightProblem = problems.find(({ path }) => path === 'variants');
  const add = () => {
    const names = new Set(variants.map(({ name }) => name));
    let number = variants.length + 1;
    while (names.has(`variant-${number}`)) number += 1;
    set([...variants, make(`variant-${number}`, stickiness)]);
  };
  return (
    <Stack gap="xs">
      {variants.length > 0 && <VariantBar variants={variants} />}
      {weightProblem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {weightProblem.message}
        </Text>
      )}
      {variants.map((variant, place) => (
        <VariantRow
          // biome-ignore lint/suspicious/noArrayIndexKey: its name is being typed
          key={place}
          variant={variant}
          fields={fields}
          place={place}
          problems={problems}
          disabled={disabled}
          onChange={(next) => set(variants.with(place, next))}
          onRemove={() => set(variants.toSpliced(place, 1))}
        />
      ))}
      <Group justify="space-between" align="flex-end">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={disabled || variants.length >= maxVariants}
          onClick={add}
        >
          Add variant
        </Button>
        {variants.length > 0 && (
          <Select
            size="xs"
            w={200}
            label="Variant stickiness"
            allowDeselect={false}
            disabled={disabled}
            data={[...new Set([...stickinessChoices, stickiness])]}
            value={stickiness}
            onChange={(chosen) =>
              set(variants.map((variant) => ({ ...variant, stickiness: chosen ?? 'default' })))
            }
          />
        )}
      </Group>
    </Stack>
  );
}
