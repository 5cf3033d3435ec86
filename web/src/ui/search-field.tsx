import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useUrlState } from './url-state.ts';

interface Props extends Pick<TextInputProps, 'placeholder' | 'flex' | 'miw'> {
  readonly label: string;
  /** The text in the URL. */
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Searches the list below it. Its text is in the URL, which follows a moment later. */
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
