import { ActionIcon, Button, Group, Select, Stack, TagsInput, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Tooltip } from '../../ui/tooltip.tsx';
import classes from '../flags.module.css';
import { type ContextField, splitValues } from './constraint-check.ts';
import { overrideFault } from './strategy-check.ts';

export interface Override {
  contextName: string;
  values: string[];
}

/** As many as the server takes. */
const maxOverrides = 100;
const maxValues = 250;

interface Props {
  /** The name of the variant. */
  readonly variant: string;
  readonly overrides: readonly Override[];
  readonly fields: ReadonlyMap<string, ContextField>;
  readonly disabled: boolean;
  readonly onChange: (overrides: Override[]) => void;
}

/** Who gets a variant whatever its weight: everyone for whom one of these fields has one of these values. */
export function OverridesEditor({ variant, overrides, fields, disabled, onChange }: Props) {
  const names = [...fields.keys()];
  return (
    <Stack gap="xs">
      {overrides.map((override, place) => {
        const { contextName, values } = override;
        const fault = overrideFault(override);
        const legal = fields.get(contextName)?.legalValues?.map(({ value }) => value) ?? [];
        const label = `override ${place + 1} of ${variant}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an override has nothing but its place
          <div key={place} className={classes.override}>
            <Text size="xs" className="quiet" mt={8}>
              {place === 0 ? 'Always if' : 'or if'}
            </Text>
            <div>
              <Select
                aria-label={`Context field of ${label}`}
                placeholder="Context field"
                size="xs"
                searchable
                allowDeselect={false}
                disabled={disabled}
                error={fault?.of === 'field' && fault.message}
                data={
                  contextName === '' || names.includes(contextName)
                    ? names
                    : [...names, contextName]
                }
                value={contextName || null}
                onChange={(field) => {
                  if (!field || field === contextName) return;
                  onChange(overrides.with(place, { contextName: field, values: [] }));
                }}
              />
            </div>
            <div>
              <TagsInput
                aria-label={`Values of ${label}`}
                placeholder={values.length === 0 ? 'is one of…' : ''}
                size="xs"
                data={legal}
                maxTags={maxValues}
                splitChars={[',', ';', '\n', '\t']}
                acceptValueOnBlur
                disabled={disabled}
                error={fault?.of === 'values' && fault.message}
                classNames={{ pillsList: classes.manyPills ?? '' }}
                value={[...values]}
                onChange={(next) =>
                  onChange(
                    overrides.with(place, {
                      contextName,
                      values: [...new Set(next.flatMap(splitValues))],
                    }),
                  )
                }
              />
            </div>
            <Tooltip label="Remove">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${label}`}
                disabled={disabled}
                onClick={() => onChange(overrides.toSpliced(place, 1))}
              >
                <IconTrash size={14} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </div>
        );
      })}
      <Group>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={12} aria-hidden />}
          aria-label={`Add override to ${variant}`}
          disabled={disabled || overrides.length >= maxOverrides}
          onClick={() => onChange([...overrides, { contextName: '', values: [] }])}
        >
          Add override
        </Button>
      </Group>
    </Stack>
  );
}
