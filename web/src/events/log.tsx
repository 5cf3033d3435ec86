import { Box, Button, Collapse, Group, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import {
  IconAdjustmentsHorizontal,
  IconListCheck,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { emptyDirectory } from '../directory.ts';
import { AfterFirstView, AfterPaint } from '../ui/after-paint.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { numberText, plural } from '../ui/format.ts';
import { lazyPart } from '../ui/lazy-part.ts';
import { Problem } from '../ui/problem.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { useNamesInEvents } from '../use-directory.ts';
import { ChainState } from './chain-state.tsx';
import { CopyLink } from './copy-link.tsx';
import classes from './events.module.css';
import { ExportMenu } from './export.tsx';
import { Facets } from './facets.tsx';
import { LogList } from './log-list.tsx';
import { useLog, useNewEvents, useTotal } from './log-pages.ts';
import { noMatchHint } from './no-match.ts';
import { freeTextOf, parse, written } from './query/grammar.ts';
import { QueryBar } from './query-bar.tsx';
import { type LogScope, withScope } from './scope.ts';
import type { LogSearch } from './search.ts';
import type { LogEvent } from './sentence.ts';
import { pagePath, sentenceOf } from './sentence.ts';
import { useTranslation } from './vocabulary.ts';

const EventDrawer = lazyPart(() => import('./event-drawer.tsx'), 'EventDrawer');
const EventDetail = lazyPart(() => import('./event-detail.tsx'), 'EventDetail');
const LogViews = lazyPart(() => import('./views.tsx'), 'LogViews');
const SelectedEvents = lazyPart(() => import('./selected-events.tsx'), 'SelectedEvents');

interface Props {
  readonly scope: LogScope;
  readonly search: LogSearch;
  /** `replace` for changes that Back should skip. */
  readonly onSearch: (search: LogSearch, options: { readonly replace: boolean }) => void;
  readonly title: ReactNode;
  readonly withFacets?: boolean;
}

const withToggled = (ids: ReadonlySet<number> = new Set(), id: number): ReadonlySet<number> =>
  ids.has(id) ? new Set([...ids].filter((each) => each !== id)) : new Set([...ids, id]);

/** Without a query, everything is shown, and no view is open. */
const withQuery = (q: string, view: number | undefined): LogSearch =>
  q === '' ? {} : { q, ...(view !== undefined && { view }) };

/** The query bar, whose text is in the URL, the matching events, and the open one. */
export function EventLogView({ scope, search, onSearch, title, withFacets = true }: Props) {
  const { q = '', view, event: open } = search;
  const navigate = useNavigate();
  useNamesInEvents();
  const translation = useTranslation(q);
  const [jumps, setJumps] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each query and each jump starts at the newest event
  const top = useMemo(() => Date.now(), [q, jumps]);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const hasProblem = translation !== undefined && translation.problems.length > 0;
  const { project, feature } = scope;
  const text = useMemo(() => freeTextOf(parse(q).tokens), [q]);
  const parameters = useMemo(
    () =>
      translation === undefined || hasProblem
        ? undefined
        : withScope(translation.parameters, {
            ...(project !== undefined && { project }),
            ...(feature !== undefined && { feature }),
          }),
    [translation, hasProblem, project, feature],
  );
  const { log, error, isLoading } = useLog(parameters, top, range);
  const all = useTotal(scope, q !== '');
  const [isPaused, setPaused] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  if (open !== undefined && !wasOpen) setWasOpen(true);
  const fresh = useNewEvents(log);
  const [selected, setSelected] = useState<ReadonlySet<number>>();

  const isWide = useMediaQuery('(min-width: 80em)', true, { getInitialValueInEffect: false });
  // Inside another page there is no room beside the list.
  const isBeside = isWide && withFacets;
  const hasRoom = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const [hasFacets, facets] = useDisclosure(false);

  const setQuery = useCallback(
    (next: string) => onSearch(withQuery(next, view), { replace: false }),
    [onSearch, view],
  );
  const setOpen = useCallback(
    (id: number | undefined, isMove: boolean) =>
      onSearch(
        { ...withQuery(q, view), ...(id !== undefined && { event: id }) },
        { replace: isMove },
      ),
    [onSearch, q, view],
  );
  const onRange = useCallback(
    (first: number, last: number) =>
      setRange((before) =>
        before.first === first && before.last === last ? before : { first, last },
      ),
    [],
  );
  const showNewest = () => {
    setJumps((count) => count + 1);
    window.scrollTo({ top: 0 });
  };
  const isSelecting = selected !== undefined;
  // Only while no one is reading: at the top, with nothing open and neither pointer nor focus in the list.
  useEffect(() => {
    if (fresh === 0 || isPaused || open !== undefined || isSelecting) return;
    if (window.scrollY > 24) return;
    if (document.querySelector(`.${classes.list}:is(:hover, :focus-within)`)) return;
    setJumps((count) => count + 1);
  }, [fresh, isPaused, open, isSelecting]);

  const visit = (event: LogEvent) => {
    const path = sentenceOf(event, emptyDirectory)
      .map(pagePath)
      .find((each) => each !== undefined);
    if (path !== undefined) void navigate({ to: path as '/' });
  };
  const leaveBar = () => {
    const first = document.querySelector<HTMLElement>('[data-event]');
    if (first) first.focus();
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };

  const detail = open !== undefined && (
    <Suspense fallback={<Waiting />}>
      <EventDetail
        id={open}
        event={log?.find(open)}
        q={q}
        onQuery={setQuery}
        onOpen={(id) => setOpen(id, false)}
        onClose={() => setOpen(undefined, false)}
      />
    </Suspense>
  );
  const filters = (
    <Facets q={q} scope={scope} parameters={parameters} top={top} onChange={setQuery} />
  );
  const banner = fresh > 0 && (
    <UnstyledButton className={classes.fresh} onClick={showNewest}>
      Show {plural(fresh, 'new event')}
    </UnstyledButton>
  );

  return (
    <>
      <Group justify="space-between" mb="sm" gap="sm">
        {title}
        <Group gap="xs">
          <Tooltip
            label={
              isPaused
                ? 'Paused. New events are counted but not shown.'
                : "New events appear automatically while you're at the top"
            }
          >
            <Button
              size="xs"
              variant="default"
              aria-pressed={isPaused}
              leftSection={
                isPaused ? (
                  <IconPlayerPlay size={14} aria-hidden />
                ) : (
                  <IconPlayerPause size={14} aria-hidden />
                )
              }
              onClick={() => setPaused(!isPaused)}
            >
              {isPaused ? 'Resume' : 'Pause'}
            </Button>
          </Tooltip>
          <Button
            size="xs"
            variant="default"
            aria-pressed={isSelecting}
            leftSection={<IconListCheck size={14} aria-hidden />}
            onClick={() => setSelected(isSelecting ? undefined : new Set())}
          >
            Select
          </Button>
          <ExportMenu log={hasProblem ? undefined : log} />
          {feature === undefined && (
            <AfterFirstView before={<Box w={92} h={30} />}>
              <Suspense fallback={<Box w={92} h={30} />}>
                <LogViews
                  q={q}
                  viewId={view}
                  project={project}
                  onOpen={(next, id) => onSearch(withQuery(next, id), { replace: false })}
                />
              </Suspense>
            </AfterFirstView>
          )}
          <Box visibleFrom="xs">
            <CopyLink q={q} label="Copy link to this view" variant="default" />
          </Box>
        </Group>
      </Group>
      <QueryBar
        q={q}
        problems={translation?.problems ?? []}
        scope={scope}
        onChange={(next) => onSearch(withQuery(next, view), { replace: true })}
        onLeave={leaveBar}
      />
      <Group justify="space-between" mt={6} mb="sm">
        <Text size="sm" className="quiet tabular" role="status">
          {log && !hasProblem && (
            <>
              <b>
                {all === undefined || all <= log.total
                  ? plural(log.total, 'event')
                  : `${numberText(log.total)} of ${plural(all, 'event')}`}
              </b>
              {isPaused && ' · Paused'}
            </>
          )}
        </Text>
        {log && log.newest > 0 && feature === undefined && (
          <AfterPaint>
            <ChainState newest={log.newest} />
          </AfterPaint>
        )}
        {withFacets && !hasRoom && (
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={hasFacets}
            leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden />}
            onClick={facets.toggle}
          >
            Filters
          </Button>
        )}
      </Group>
      {withFacets && !hasRoom && (
        <Collapse expanded={hasFacets} transitionDuration={0}>
          <Box mb="md">{filters}</Box>
        </Collapse>
      )}
      <div
        className={classes.log}
        data-facets={(withFacets && hasRoom) || undefined}
        data-detail={(isBeside && open !== undefined) || undefined}
      >
        {withFacets && hasRoom && <div className={classes.beside}>{filters}</div>}
        <div style={{ minWidth: 0 }} aria-busy={isLoading}>
          {error ? (
            <Problem error={error} />
          ) : hasProblem ? (
            <EmptyState title="Invalid query">
              Fix the errors under the search bar to see events.
            </EmptyState>
          ) : !log ? (
            <Waiting />
          ) : log.count === 0 ? (
            <EmptyState title={q === '' ? 'No events yet' : 'No matching events'}>
              {q === '' ? (
                'Changes show up here as they happen.'
              ) : (
                <>
                  {noMatchHint(q, scope)}
                  <Group mt="sm" gap="xs" justify="center">
                    {text !== '' && feature === undefined && (
                      <Button size="xs" onClick={() => setQuery(`feature:${written(text)}`)}>
                        Search feature:{text}
                      </Button>
                    )}
                    <Button size="xs" variant="default" onClick={() => setQuery('')}>
                      Clear filters
                    </Button>
                  </Group>
                </>
              )}
            </EmptyState>
          ) : (
            <LogList
              log={log}
              open={open}
              onOpen={setOpen}
              onVisit={visit}
              onRange={onRange}
              banner={banner}
              selected={selected}
              onSelect={(id) => setSelected((before) => withToggled(before, id))}
            />
          )}
        </div>
        {isBeside && detail && (
          <aside className={`card ${classes.beside} ${classes.detail}`} aria-label="Event details">
            {detail}
          </aside>
        )}
      </div>
      {isSelecting && (
        <Suspense>
          <SelectedEvents ids={[...selected]} onClear={() => setSelected(undefined)} />
        </Suspense>
      )}
      {!isBeside && wasOpen && (
        <Suspense>
          <EventDrawer
            opened={open !== undefined}
            isWide={hasRoom}
            onClose={() => setOpen(undefined, false)}
          >
            {detail}
          </EventDrawer>
        </Suspense>
      )}
    </>
  );
}
