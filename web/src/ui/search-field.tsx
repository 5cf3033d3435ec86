import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useUrlState } from './url-state.ts';

interface Props extends Pick<TextInputProps, 'placeholder' | 'flex' | 'miw'> {
  readonly label: string;
  /** The text that the address has. */
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Searches what stands below it. Its text is part of the address, which follows a moment later. */
export function SearchField({ label, value, onChange, placeholder = label, ...props }: Props) {
  const [text, setText] = useUrlState(value, onChange);
  return (
    <TextInput
      data-search
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      {...props}
    />
  );
}
