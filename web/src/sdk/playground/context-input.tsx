import { Autocomplete, Button, Menu, Text, TextInput, type TextInputProps } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';

interface AddFieldProps {
  readonly fields: readonly string[];
  /** Those that the features depend on. */
  readonly inUse: readonly string[];
  readonly variant: 'subtle' | 'default';
  readonly onAdd: (field: string) => void;
}

/** Adds a field to a context: one that is known, or any other. */
export function AddField({ fields, inUse, variant, onAdd }: AddFieldProps) {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const add = (field: string) => {
    if (field.trim() !== '') onAdd(field.trim());
    setTyped('');
    setOpen(false);
  };
  return (
    <Menu position="bottom-start" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button size="xs" variant={variant} leftSection={<IconPlus size={14} aria-hidden />}>
          Add context field
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={340} style={{ overflow: 'auto' }}>
        {fields.map((field) => (
          <Menu.Item
            key={field}
            onClick={() => add(field)}
            rightSection={
              inUse.includes(field) && (
                <Text size="xs" className="quiet">
                  In use
                </Text>
              )
            }
          >
            {field}
          </Menu.Item>
        ))}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            add(typed);
          }}
        >
          <TextInput
            m={4}
            size="xs"
            aria-label="Custom field"
            placeholder="Custom field name"
            maxLength={100}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onKeyDown={(event) => event.stopPropagation()}
          />
        </form>
      </Menu.Dropdown>
    </Menu>
  );
}

interface ContextValueProps
  extends Pick<
    TextInputProps,
    'label' | 'aria-label' | 'w' | 'placeholder' | 'rightSection' | 'error' | 'readOnly'
  > {
  readonly legalValues: readonly { readonly value: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The value of one field. Legal values are offered, and every other one may be tried. */
export const ContextValue = ({ legalValues, onChange, ...props }: ContextValueProps) =>
  legalValues.length > 0 ? (
    <Autocomplete
      {...props}
      size="xs"
      data={[...new Set(legalValues.map(({ value }) => value))]}
      limit={50}
      onChange={onChange}
    />
  ) : (
    <TextInput
      {...props}
      size="xs"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
