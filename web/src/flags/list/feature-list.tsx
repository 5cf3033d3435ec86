import { Badge, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type MouseEvent,
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { basePath } from '../../api.ts';
import { ProjectName } from '../../project-name.tsx';
import { numberText, plural } from '../../ui/format.ts';
import { tellProblem } from '../../ui/notices.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ProductionMark } from '../../ui/production-mark.tsx';
import { useTimeZone } from '../../ui/time-zone.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { stateNames, stateOf } from '../feature-words.ts';
import { EvaluationsContext, useEvaluations } from './evaluations.tsx';
import { FavoriteStar } from './favorite.tsx';
import type { Column } from './feature-columns.tsx';
import classes from './feature-list.module.css';
import {
  type FeatureQuery,
  type FoundFeature,
  maxSelected,
  readMatching,
  useFeatures,
} from './feature-pages.ts';
import { useRowActions } from './row-actions.tsx';
import type { FeatureSearch } from './search.ts';
import { SelectBox } from './select-box.tsx';
import type { Selection } from './selection.ts';

const rowHeight = 52;
const phoneRowHeight = 104;
/** Room for the bar of a selection, so that it does not hide the last rows. */
const barHeight = 96;

interface RowProps {
  readonly feature: FoundFeature;
  readonly row: number;
  readonly columns: readonly Column[];
  readonly isSelected: boolean;
  readonly withProject: boolean;
  readonly onSelect: (row: number, isSelected: boolean, isRange: boolean) => void;
  readonly onOpen: (event: MouseEvent<HTMLAnchorElement>) => void;
  readonly onPoint: (feature: FoundFeature) => void;
}

const hrefOf = ({ project, name }: FoundFeature) =>
  `${basePath}projects/${encodeURIComponent(project)}/features/${encodeURIComponent(name)}`;

/**
 * Drawn again only when something of it changes. The words are there at once; what can be clicked follows in slices of
 * a few milliseconds, so that a fast scroll never waits for hundreds of switches.
 */
const Row = memo((props: RowProps) => {
  const { feature, row, columns, isSelected, withProject, onSelect, onOpen, onPoint } = props;
  const isWhole = useDeferredValue(true, false);
  useTimeZone();
  const { name, project, description, favorite, archived } = feature;
  const state = stateOf(feature);
  return (
    <>
      <td className={classes.selectCell}>
        {isWhole && (
          <SelectBox
            label={`Select ${name}`}
            checked={isSelected}
            onChange={({ currentTarget, nativeEvent }) =>
              onSelect(
                row,
                currentTarget.checked,
                'shiftKey' in nativeEvent && !!nativeEvent.shiftKey,
              )
            }
          />
        )}
        {isWhole && !archived && (
          <FavoriteStar project={project} feature={name} favorite={favorite} />
        )}
      </td>
      <td className={classes.name}>
        <span className={classes.nameLine}>
          <a
            href={hrefOf(feature)}
            className={classes.nameLink}
            onClick={onOpen}
            onPointerEnter={() => onPoint(feature)}
          >
            {name}
          </a>
          {state !== 'active' && columns.every(({ key }) => key !== 'state') && (
            <Badge size="xs" color="yellow" variant="light" tt="none" className={classes.attention}>
              {stateNames[state]}
            </Badge>
          )}
        </span>
        <span className={classes.description} title={description ?? undefined}>
          {withProject && (
            <span className={classes.onPhone}>
              <ProjectName id={project} />
              {description && ' · '}
            </span>
          )}
          <bdi>{description}</bdi>
        </span>
      </td>
      {columns.map(({ key, cell, environment }) => (
        <td key={key} className={environment === undefined ? classes.cell : classes.switchCell}>
          {(isWhole || environment === undefined) && cell(feature)}
          {environment !== undefined && <span className={classes.onPhone}>{environment}</span>}
        </td>
      ))}
    </>
  );
});

/** Every row is a grid of its own, so all of them need the same widths. */
function gridOf(columns: readonly Column[]) {
  const all = [{ least: 56 }, { least: 170, share: 1 }, ...columns];
  const gaps = (all.length - 1) * 12 + 24;
  return {
    template: all
      .map(({ least, share }: Pick<Column, 'least' | 'share'>) =>
        share === undefined ? `${least}px` : `minmax(${least}px, ${share}fr)`,
      )
      .join(' '),
    leastWidth: `${all.reduce((sum, { least }) => sum + least, gaps)}px`,
  };
}

interface HeadProps {
  readonly label: string;
  readonly sortBy: string | undefined;
  readonly isProduction?: boolean | undefined;
  readonly search: FeatureSearch;
  readonly onChange: (search: FeatureSearch) => void;
}

/** A click sorts, a second one the other way round, a third one as before. */
function Head({ label, sortBy, isProduction, search, onChange }: HeadProps) {
  if (sortBy === undefined) {
    return (
      <th scope="col" className={classes.headCell}>
        {label}
      </th>
    );
  }
  const isDefault = search.sortBy === undefined && sortBy === 'createdAt';
  const order = search.sortBy === sortBy ? (search.sortOrder ?? 'asc') : undefined;
  const shown = isDefault ? 'desc' : order;
  const sort = () => {
    const { sortBy: _, sortOrder: __, ...rest } = search;
    if (order === 'desc') onChange(rest);
    else onChange({ ...rest, sortBy, ...(order === 'asc' && { sortOrder: 'desc' }) });
  };
  return (
    <th
      scope="col"
      className={classes.headCell}
      aria-sort={shown === undefined ? 'none' : shown === 'asc' ? 'ascending' : 'descending'}
    >
      <UnstyledButton className={classes.headButton} onClick={sort} title={`Sort by ${label}`}>
        {isProduction && <ProductionMark name={label} isCompact />}
        <span className={classes.headLabel}>{label}</span>
        {shown === undefined && <IconSelector size={13} aria-hidden className={classes.sortable} />}
        {shown === 'asc' && <IconArrowUp size={13} aria-hidden />}
        {shown === 'desc' && <IconArrowDown size={13} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}

interface Props {
  readonly search: FeatureSearch;
  readonly onChange: (search: FeatureSearch) => void;
  readonly query: FeatureQuery;
  readonly columns: readonly Column[];
  readonly selection: Selection;
  readonly withProject: boolean;
  readonly empty: ReactNode;
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(textarea|select)$/i.test(target.tagName) ||
    (target instanceof HTMLInputElement && !/^(checkbox|radio)$/.test(target.type)));

const isInDialog = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('[role=dialog],[role=menu],[role=listbox]');

/** The list: only the rows on the screen are in the page, and only their features are read. */
export function FeatureList(props: Props) {
  const { search, onChange, query, columns, selection, withProject, empty } = props;
  const navigate = useNavigate();
  const client = useQueryClient();
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const frame = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const { start, total, featureAt } = useFeatures(query, range);
  const evaluations = useEvaluations(
    featureAt,
    range,
    columns.some(({ key }) => key === 'evaluations'),
  );
  const [active, setActive] = useState(-1);
  const anchor = useRef(-1);
  const height = isPhone ? phoneRowHeight : rowHeight;
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan: 6,
    onChange: ({ range: seen }) => {
      if (!seen) return;
      setRange((before) =>
        before.first === seen.startIndex && before.last === seen.endIndex
          ? before
          : { first: seen.startIndex, last: seen.endIndex },
      );
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights are others
  useEffect(() => virtual.measure(), [height]);
  // Another list begins at its top.
  const listKey = JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the list
  useEffect(() => {
    virtual.scrollToOffset(0);
    setActive(-1);
    anchor.current = -1;
  }, [listKey]);

  const selectRows = useCallback(
    async (from: number, to: number, isSelected: boolean) => {
      const [low, high] = from < to ? [from, to] : [to, from];
      const rows = Array.from({ length: high - low + 1 }, (_, index) => featureAt(low + index));
      const isRead = rows.every((feature) => feature !== undefined);
      const features = isRead
        ? rows.filter((feature) => feature !== undefined)
        : await readMatching(client, query, low, high + 1);
      selection.set(features, isSelected);
    },
    [client, featureAt, query, selection],
  );
  const tellFailure = (error: Error) => tellProblem('update the selection', error);
  const latest = useRef({ selectRows, onSelect: (_: number, __: boolean, ___: boolean) => {} });
  latest.current = {
    selectRows,
    onSelect: (row, isSelected, isRange) => {
      const from = isRange && anchor.current >= 0 ? anchor.current : row;
      anchor.current = row;
      setActive(row);
      selectRows(from, row, isSelected).catch(tellFailure);
    },
  };
  const rowActions = useRowActions();
  const router = useRouter();
  const onOpen = useCallback(
    (event: MouseEvent<HTMLAnchorElement>) => {
      // A new tab or window is the browser's own.
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      router.history.push(event.currentTarget.pathname);
    },
    [router],
  );
  // Who points at a feature has it read when they click.
  const onPoint = useCallback(
    ({ project, name }: FoundFeature) =>
      void router.preloadRoute({
        to: '/projects/$projectId/features/$featureName',
        params: { projectId: project, featureName: name },
      }),
    [router],
  );
  const onSelect = useCallback(
    (row: number, isSelected: boolean, isRange: boolean) =>
      latest.current.onSelect(row, isSelected, isRange),
    [],
  );

  // Not after the next picture: who sees the list may use its keys.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (ctrlKey || metaKey || altKey || isTyping(target) || isInDialog(target)) return;
      const step = { j: 1, k: -1 }[key.toLowerCase()];
      const current = featureAt(active);
      if (step !== undefined) {
        const next = Math.min(total - 1, Math.max(0, active + step));
        setActive(next);
        virtual.scrollToIndex(next);
        if (shiftKey) {
          if (active >= 0) selectRows(active, next, true).catch(tellFailure);
          else selectRows(next, next, true).catch(tellFailure);
        }
      } else if (key === 'x' && current) {
        onSelect(active, !selection.selected.has(current.name), false);
      } else if (current && !shiftKey && rowActions.act(key, current)) event.preventDefault();
      else if (key === 'Escape' && selection.selected.size > 0) selection.clear();
      else if (current && (key === 'e' || (key === 'Enter' && target === document.body))) {
        void navigate({
          to: '/projects/$projectId/features/$featureName',
          params: { projectId: current.project, featureName: current.name },
        });
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });

  if (start.isPending) return <Waiting />;
  if (start.isError) return <Problem error={start.error} />;
  if (total === 0) return empty;
  const { template, leastWidth } = gridOf(columns);
  const count = selection.selected.size;
  const selectable = Math.min(total, maxSelected);
  const isAll = count >= selectable;
  return (
    <EvaluationsContext value={evaluations}>
      <Text size="sm" className="quiet tabular" mb="xs" role="status">
        {plural(total, 'feature')}
        {count > 0 && ` · ${numberText(count)} selected`}
      </Text>
      <section
        ref={frame}
        className={`card ${classes.list}`}
        aria-label="Features"
        data-in-project={!withProject || undefined}
        style={{ '--template': template, '--least-width': leastWidth } as CSSProperties}
        data-previous={start.isPlaceholderData || undefined}
      >
        <table aria-rowcount={total + 1} aria-label="Features" className={classes.table}>
          <thead>
            <tr aria-rowindex={1} className={`${classes.columns} ${classes.head}`}>
              <th scope="col" className={classes.selectCell}>
                <SelectBox
                  label={
                    total > selectable
                      ? `Select the first ${numberText(selectable)} features`
                      : `Select all ${numberText(selectable)} features`
                  }
                  checked={isAll}
                  indeterminate={count > 0 && !isAll}
                  onChange={() => {
                    if (isAll) selection.clear();
                    else selectRows(0, selectable - 1, true).catch(tellFailure);
                  }}
                />
              </th>
              <Head label="Name" sortBy="name" search={search} onChange={onChange} />
              {columns.map(({ key, label, sortBy, isProduction }) => (
                <Head
                  key={key}
                  label={label}
                  sortBy={sortBy}
                  isProduction={isProduction}
                  search={search}
                  onChange={onChange}
                />
              ))}
            </tr>
          </thead>
          <tbody
            style={{ height: virtual.getTotalSize() + (count > 0 ? barHeight : 0) }}
            className={classes.rowGroup}
          >
            {virtual.getVirtualItems().map(({ index, start: top }) => {
              const feature = featureAt(index);
              const isSelected = feature !== undefined && selection.selected.has(feature.name);
              return (
                <tr
                  key={index}
                  aria-rowindex={index + 2}
                  data-active={index === active || undefined}
                  data-selected={isSelected || undefined}
                  className={`${classes.columns} ${classes.row}`}
                  style={{ transform: `translateY(${top}px)`, height }}
                >
                  {feature ? (
                    <Row
                      feature={feature}
                      row={index}
                      columns={columns}
                      isSelected={isSelected}
                      withProject={withProject}
                      onSelect={onSelect}
                      onOpen={onOpen}
                      onPoint={onPoint}
                    />
                  ) : (
                    <td className={classes.unread}>
                      <Skeleton height={14} width="40%" animate={false} />
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {rowActions.dialog(featureAt(active))}
    </EvaluationsContext>
  );
}
