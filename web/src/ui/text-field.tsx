import { TextInput, type TextInputProps } from '@mantine/core';
import { faultAt } from './faults.ts';

interface Props extends Omit<TextInputProps, 'value' | 'error' | 'onChange'> {
  /** The property of the request that it fills in: what the server says of it stands below. */
  readonly name: string;
  /** Why the form was refused. */
  readonly refused: Error | null;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One line of text in a form. */
export const TextField = ({ name, refused, onChange, ...props }: Props) => (
  <TextInput
    {...props}
    error={faultAt(refused, name)}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

/** What something is for, in a sentence. */
export const DescriptionField = (props: Omit<Props, 'name'>) => (
  <TextField label="Description" maxLength={1000} {...props} name="description" />
);
