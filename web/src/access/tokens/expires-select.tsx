import { Select, type SelectProps } from '@mantine/core';
import { expiresLabel, tokenLives } from './expires.ts';

interface Props extends Omit<SelectProps, 'data' | 'label' | 'allowDeselect'> {
  /** The choices, in days or 'never'. */
  readonly lives?: readonly string[];
}

/** When a token or link expires, with the resulting date. */
export const ExpiresSelect = ({ lives = tokenLives, ...props }: Props) => (
  <Select
    label="Expires"
    allowDeselect={false}
    data={lives.map((days) => ({ value: days, label: expiresLabel(days) }))}
    {...props}
  />
);
