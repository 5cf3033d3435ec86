import { Box, Checkbox, Group, Kbd, Skeleton, Text } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { ActorAvatar } from '../ui/avatar.tsx';
import { exactTime, timeText } from '../ui/dates.ts';
import { numberText } from '../ui/format.ts';
import { useDirectory } from '../use-directory.ts';
import { EventSentence } from './event-sentence.tsx';
import { EventTone } from './event-tone.tsx';
import classes from './events.module.css';
import type { Log } from './log-pages.ts';
import { Particulars } from './particulars.tsx';
import { RevertedBadge, useReverts } from './reverts.tsx';
import { type LogEvent, sentenceText } from './sentence.ts';
import { indexUnderHeading } from './sticky-day.ts';
import { dayText, isSameDay } from './times.ts';

interface RowProps {
  readonly event: LogEvent;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly isReverted: boolean;
  readonly onOpen: () => void;
  /** Undefined: events are not being selected. */
  readonly selected: boolean | undefined;
  readonly onSelect: () => void;
}

function Row({ event, isOpen, isActive, isReverted, onOpen, selected, onSelect }: RowProps) {
  const directory = useDirectory();
  const isSelecting = selected !== undefined;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside does the same for the keyboard
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same
    <div
      className={classes.row}
      data-open={isOpen || undefined}
      data-select={isSelecting || undefined}
      onClick={({ target }) => {
        const isElsewhere =
          target instanceof Element && target.closest('a, button, input') !== null;
        // Selecting text is not a click.
        if (isElsewhere || String(window.getSelection()) !== '') return;
        if (isSelecting) onSelect();
        else onOpen();
      }}
    >
      {isSelecting && (
        <Checkbox
          size="xs"
          checked={selected}
          aria-label={`Select event #${numberText(event.id)}`}
          onChange={onSelect}
        />
      )}
      <button
        type="button"
        className={classes.time}
        data-event={event.id}
        title={exactTime(event.createdAt)}
        aria-label={`Open event: ${sentenceText(event, directory)}, ${timeText(event.createdAt)}`}
        aria-expanded={isOpen}
        tabIndex={isActive ? 0 : -1}
        onClick={onOpen}
      >
        {timeText(event.createdAt)}
      </button>
      <EventTone type={event.type} />
      <div className={classes.what}>
        <ActorAvatar id={event.createdByUserId} /> <EventSentence event={event} />{' '}
        {isReverted && <RevertedBadge />}
        <Particulars event={event} />
      </div>
      <Text size="xs" className={`quiet tabular ${classes.number}`}>
        #{numberText(event.id)}
      </Text>
    </div>
  );
}

interface Props {
  readonly log: Log;
  readonly open: number | undefined;
  readonly onOpen: (id: number | undefined, isMove: boolean) => void;
  readonly onVisit: (event: LogEvent) => void;
  readonly onRange: (first: number, last: number) => void;
  /** Shown above the first event. */
  readonly banner: ReactNode;
  /** The selected events; undefined while none are selected. */
  readonly selected: ReadonlySet<number> | undefined;
  readonly onSelect: (id: number) => void;
}

/** As many as the API takes. */
const maxAsked = 200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

/** The pages for which is asked at once what was reverted. */
const revertsPage = 50;

/** Which events of the visible rows were reverted. Asked page by page, so that scrolling asks seldom. */
function useRevertsOf(log: Log, first: number, last: number) {
  const begin = Math.floor(first / revertsPage) * revertsPage;
  const end = Math.min((Math.floor(last / revertsPage) + 1) * revertsPage, log.count);
  const ids = Array.from({ length: Math.max(0, end - begin) }, (_, nth) => log.at(begin + nth)?.id);
  return useReverts(ids.filter((id) => id !== undefined).slice(0, maxAsked));
}

/** Events by day, newest first; only visible rows are in the document. */
export function LogList({
  log,
  open,
  onOpen,
  onVisit,
  onRange,
  banner,
  selected,
  onSelect,
}: Props) {
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState(0);
  const [seenKey, setSeenKey] = useState(log.key);
  if (seenKey !== log.key) {
    setSeenKey(log.key);
    setActive(0);
  }
  useLayoutEffect(() => {
    const rect = list.current?.getBoundingClientRect();
    if (rect) setTop(rect.top + window.scrollY);
  });
  const count = log.count + (log.isWhole ? 0 : 1);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => 46,
    overscan: 12,
    scrollMargin: top,
    // Otherwise the first rows wait until the window is measured, which takes another rendering.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    onChange: ({ range }) => {
      if (range) onRange(range.startIndex, range.endIndex);
    },
  });
  const items = virtual.getVirtualItems();
  const reverts = useRevertsOf(log, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);

  const focusRow = (index: number) => {
    setActive(index);
    virtual.scrollToIndex(index, { align: 'auto' });
    const id = log.at(index)?.id;
    // The row may not be rendered yet.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        list.current
          ?.querySelector<HTMLElement>(`[data-event="${id}"]`)
          ?.focus({ preventScroll: true }),
      ),
    );
  };

  const keys = useRef<(event: KeyboardEvent) => void>(() => undefined);
  keys.current = (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('[role=dialog][aria-modal=true]:not([data-event-detail])')) return;
    const isInList = list.current?.contains(document.activeElement) === true;
    const current = open === undefined ? active : Math.max(0, log.indexOf(open));
    const move = (by: number) => {
      const isFirst = open === undefined && !isInList;
      const index = Math.min(log.count - 1, Math.max(0, isFirst ? current : current + by));
      event.preventDefault();
      focusRow(index);
      const found = log.at(index);
      if (open !== undefined && found) onOpen(found.id, true);
    };
    const isArrow = (key: string) => isInList && event.key === key;
    if (event.key === 'j' || isArrow('ArrowDown')) move(1);
    else if (event.key === 'k' || isArrow('ArrowUp')) move(-1);
    else if (event.key === 'Escape' && open !== undefined) {
      event.preventDefault();
      const index = log.indexOf(open);
      onOpen(undefined, false);
      if (index >= 0) focusRow(index);
    } else if (event.key === 'Enter' && event.target === document.body) {
      // The row that j selected gets the focus at the next paint; the user may be faster.
      const found = log.at(current);
      if (found) onOpen(found.id, false);
    } else if (event.key === 'o') {
      const found = log.at(current);
      if (found) onVisit(found);
    }
  };
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => keys.current(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const isFirstOfDay = (index: number): boolean => {
    const [event, before] = [log.at(index), index === 0 ? undefined : log.at(index - 1)];
    return event && before ? !isSameDay(event.createdAt, before.createdAt) : false;
  };
  const shownIndex = indexUnderHeading(items, virtual.scrollOffset ?? 0, isFirstOfDay);
  const shownDay = log.at(shownIndex)?.createdAt ?? log.at(0)?.createdAt;

  return (
    <div className={`card ${classes.list}`}>
      <div className={classes.stickyDay}>
        <Text component="h2" className={classes.day} aria-live="off">
          {shownDay && dayText(shownDay)}
        </Text>
        {banner}
      </div>
      <ol
        ref={list}
        className={classes.events}
        aria-label="Events, newest first"
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map(({ index, start, key }) => {
          const event = log.at(index);
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={classes.item}
              aria-setsize={log.total}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {event && isFirstOfDay(index) && (
                <Text component="h2" className={classes.day}>
                  {dayText(event.createdAt)}
                </Text>
              )}
              {event ? (
                <Row
                  event={event}
                  isOpen={event.id === open}
                  isActive={index === active}
                  isReverted={reverts.get(event.id)?.isReverted === true}
                  selected={selected?.has(event.id)}
                  onSelect={() => onSelect(event.id)}
                  onOpen={() => {
                    setActive(index);
                    onOpen(event.id === open ? undefined : event.id, false);
                  }}
                />
              ) : (
                <div className={classes.row} aria-hidden>
                  <Skeleton height={12} width={56} animate={false} />
                  <span />
                  <Skeleton height={12} width={`${40 + ((index * 7) % 35)}%`} animate={false} />
                </div>
              )}
            </li>
          );
        })}
      </ol>
      <Box className={classes.keys} visibleFrom="sm">
        <Group gap="md">
          <span>
            <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd> navigate
          </span>
          <span>
            <Kbd size="xs">Enter</Kbd> open
          </span>
          <span>
            <Kbd size="xs">o</Kbd> go to item
          </span>
          <span>
            <Kbd size="xs">Esc</Kbd> close
          </span>
        </Group>
      </Box>
    </div>
  );
}
