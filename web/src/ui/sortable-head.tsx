import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import classes from './table.module.css';

export interface Sorting {
  readonly by: string;
  readonly isDescending: boolean;
}

interface Props {
  readonly id: string;
  readonly label: string;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  readonly className?: string | undefined;
}

/** The head of a column that sorts: once upwards, again downwards. */
export function SortableHead({ id, label, sorting, onSort, className }: Props) {
  const isSorted = sorting.by === id;
  const Arrow = sorting.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <Table.Th
      {...(className !== undefined && { className })}
      aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <UnstyledButton
        className={classes.sort ?? ''}
        onClick={() => onSort({ by: id, isDescending: isSorted && !sorting.isDescending })}
      >
        {label}
        {isSorted && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}
