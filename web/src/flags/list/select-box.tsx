import type { ChangeEvent } from 'react';
import classes from './feature-list.module.css';

interface Props {
  readonly label: string;
  readonly checked: boolean;
  /** Some are selected, and not all. */
  readonly indeterminate?: boolean;
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** One element where Mantine's checkbox has seven: see the switches of a row. */
export const SelectBox = ({ label, checked, indeterminate = false, onChange }: Props) => (
  <input
    ref={(input) => {
      // There is no attribute for it.
      if (input) input.indeterminate = indeterminate;
    }}
    type="checkbox"
    aria-label={label}
    className={classes.select}
    checked={checked}
    onChange={onChange}
  />
);
