import { Group, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { DragEventHandler, ReactNode } from 'react';
import { matches } from '../access/account-words.ts';
import { EmptyState } from './empty-state.tsx';
import classes from './list.module.css';

/** Fewer are seen at a glance. */
const fewestToSearch = 5;

interface ListProps<Item> {
  /** What the search says of itself, such as "Search segments". */
  readonly label: string;
  readonly items: readonly Item[];
  readonly textOf: (item: Item) => string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** What stands there without any item. */
  readonly empty: ReactNode;
  readonly children: (item: Item, index: number) => ReactNode;
}

/** What a list consists of, for a few that nobody needs to search. */
export const Rows = ({ children }: { readonly children: ReactNode }) => (
  <ul className={`card ${classes.list}`}>{children}</ul>
);

/** A list that can be searched. Each child is a row. */
export function List<Item>(props: ListProps<Item>) {
  const { label, items, textOf, query, onQuery, empty, children } = props;
  if (items.length === 0) return empty;
  const shown = items.filter((item) => matches(textOf(item), query));
  return (
    <>
      {(items.length >= fewestToSearch || query !== '') && (
        <TextInput
          data-search
          aria-label={label}
          placeholder={label}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={query}
          onChange={({ currentTarget }) => onQuery(currentTarget.value)}
        />
      )}
      {shown.length === 0 ? (
        <EmptyState title={`Nothing matches “${query}”`} />
      ) : (
        <Rows>{shown.map(children)}</Rows>
      )}
    </>
  );
}

interface RowProps {
  readonly name: string;
  /** A link, where the name alone is not enough. */
  readonly title?: ReactNode;
  readonly before?: ReactNode;
  readonly badges?: ReactNode;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
  readonly isTarget?: boolean;
  readonly onDragOver?: DragEventHandler;
  readonly onDrop?: DragEventHandler;
}

/** One thing of a list: what it is, what can be done with it, and what belongs to it. */
export const Row = (props: RowProps) => (
  <li
    className={classes.row}
    aria-label={props.name}
    data-target={props.isTarget || undefined}
    onDragOver={props.onDragOver}
    onDrop={props.onDrop}
  >
    {props.before && <div className={classes.before}>{props.before}</div>}
    <div className={classes.what}>
      <Group gap={8}>
        {props.title ?? (
          <Text fw={600} component="h2" size="sm">
            {props.name}
          </Text>
        )}
        {props.badges}
      </Group>
      {props.note !== undefined && (
        <Text size="sm" className="quiet" component="div">
          {props.note}
        </Text>
      )}
    </div>
    {props.actions && (
      <Group gap={4} wrap="nowrap" className={classes.actions ?? ''}>
        {props.actions}
      </Group>
    )}
    {props.children && <div className={classes.below}>{props.children}</div>}
  </li>
);
