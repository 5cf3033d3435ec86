import { Group, Select, type SelectProps, Text } from '@mantine/core';
import { IconUserOff, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useReducer } from 'react';
import { useMe } from '../me.ts';
import { ActorAvatar } from '../ui/avatar.tsx';
import { directoryQuery } from '../use-directory.ts';
import type { Owner } from './owner.tsx';
import { ownerNamed, ownerOptions, ownerValue } from './owner-options.ts';

/** As the feature search calls features without an owner. */
const none = { value: 'none', label: 'No owner' };

const Picture = ({ value }: { readonly value: string }) => {
  const [type, id] = value.split(':');
  if (type === none.value) return <IconUserOff size={18} aria-hidden />;
  return type === 'user' ? (
    <ActorAvatar id={Number(id)} size={18} />
  ) : (
    <IconUsersGroup size={18} aria-hidden />
  );
};

interface Props
  extends Pick<
    SelectProps,
    'label' | 'description' | 'aria-label' | 'aria-description' | 'size' | 'readOnly' | 'variant'
  > {
  readonly owner: Owner | null | undefined;
  /** Null: no owner. */
  readonly onChange: (owner: Owner | null) => void;
  /** Whether no owner is a choice of its own, because nothing is selected yet. */
  readonly withNone?: boolean;
  readonly 'data-autofocus'?: boolean;
}

/** Selects the user or group responsible for a feature. */
export function OwnerSelect({ owner, onChange, withNone = false, ...props }: Props) {
  const accounts = useQuery(directoryQuery).data;
  const { user } = useMe();
  // Only when it is drawn again, Mantine says that the field is expanded and which list it controls.
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const { me, users, groups } = ownerOptions(accounts, user.id);
  const value = owner ? ownerValue(owner) : withNone && owner === null ? none.value : null;
  const isListed = [...me, ...users, ...groups].some((each) => each.value === value);
  return (
    <Select
      placeholder={withNone ? 'Select an owner' : none.label}
      searchable
      clearable={!withNone && props.readOnly !== true}
      clearButtonProps={{ 'aria-label': 'Remove owner' }}
      onDropdownOpen={() => requestAnimationFrame(redraw)}
      nothingFoundMessage="No matching users or groups"
      data={[
        ...(withNone ? [none] : []),
        ...me,
        ...(owner && !isListed ? [{ value: ownerValue(owner), label: owner.name }] : []),
        { group: 'Users', items: users },
        { group: 'Groups', items: groups },
      ]}
      value={value}
      leftSection={value === null ? undefined : <Picture value={value} />}
      renderOption={({ option }) => (
        <Group gap="xs" wrap="nowrap">
          <Picture value={option.value} />
          <Text size="sm" truncate>
            {option.label}
          </Text>
        </Group>
      )}
      onChange={(chosen) => {
        if (chosen !== value)
          onChange(chosen === null ? null : (ownerNamed(chosen, accounts) ?? null));
      }}
      {...props}
    />
  );
}
