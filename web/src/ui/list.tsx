import { Group, Text } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  createContext,
  type DragEventHandler,
  type ReactNode,
  use,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { matches } from '../access/account-words.ts';
import { NoMatch } from './empty-state.tsx';
import classes from './list.module.css';
import { SearchField } from './search-field.tsx';

/** Shorter lists have no search field. */
const fewestToSearch = 5;

interface ListProps<Item> {
  /** What is searched, in the plural: "segments". */
  readonly what: string;
  readonly items: readonly Item[];
  readonly textOf: (item: Item) => string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** Shown if there are no items. */
  readonly empty: ReactNode;
  readonly children: (item: Item, index: number) => ReactNode;
}

/** The rows of a list without a search field. */
export const Rows = ({ children }: { readonly children: ReactNode }) => (
  <ul className={`card ${classes.list}`}>{children}</ul>
);

/** Of more rows, only the visible ones are rendered. */
const mostDrawn = 40;

interface RowPosition {
  readonly index: number;
  readonly count: number;
  readonly measure: (row: HTMLElement | null) => void;
}

const RowPositionContext = createContext<RowPosition | undefined>(undefined);

/** A long list: only visible rows are in the document. */
function LongList<Item>({ items, children }: Pick<ListProps<Item>, 'items' | 'children'>) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const rect = list.current?.getBoundingClientRect();
    if (rect) setTop(rect.top + window.scrollY);
  });
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => 96,
    overscan: 8,
    scrollMargin: top,
  });
  const drawn = virtual.getVirtualItems();
  const before = (drawn[0]?.start ?? top) - top;
  const after = virtual.getTotalSize() - ((drawn.at(-1)?.end ?? top) - top);
  return (
    <ul
      ref={list}
      className={`card ${classes.list}`}
      style={{ paddingTop: before, paddingBottom: after }}
    >
      {drawn.map(({ index, key }) => (
        <RowPositionContext
          key={key}
          value={{ index, count: items.length, measure: virtual.measureElement }}
        >
          {children(items[index] as Item, index)}
        </RowPositionContext>
      ))}
    </ul>
  );
}

/** A list that can be searched. Each child is a row. */
export function List<Item>(props: ListProps<Item>) {
  const { what, items, textOf, query, onQuery, empty, children } = props;
  if (items.length === 0) return empty;
  const shown = items.filter((item) => matches(textOf(item), query));
  return (
    <>
      {(items.length >= fewestToSearch || query !== '') && (
        <SearchField label={`Search ${what}`} value={query} onChange={onQuery} />
      )}
      {shown.length === 0 ? (
        <NoMatch what={what} query={query} onClear={() => onQuery('')} />
      ) : shown.length > mostDrawn ? (
        <LongList items={shown}>{children}</LongList>
      ) : (
        <Rows>{shown.map(children)}</Rows>
      )}
    </>
  );
}

interface RowProps {
  readonly name: string;
  /** Instead of the plain name, such as a link. */
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

/** One entry of a list with its actions. */
export function Row(props: RowProps) {
  const place = use(RowPositionContext);
  return (
    <li
      ref={place?.measure}
      data-index={place?.index}
      aria-posinset={place && place.index + 1}
      aria-setsize={place?.count}
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
}
