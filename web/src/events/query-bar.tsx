import { CloseButton, Combobox, Group, Kbd, Stack, Text, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { read } from '../queries.ts';
import { applyOption, complete, fragmentAt, type Option } from './query/completion.ts';
import { type Problem, parse } from './query/grammar.ts';
import classes from './query-bar.module.css';
import type { LogScope } from './scope.ts';
import { useChoices, useTranslation } from './vocabulary.ts';

/** The text with syntax colors, below the transparent text of the input. */
function Mirror({
  text,
  problems,
}: {
  readonly text: string;
  readonly problems: readonly Problem[];
}) {
  const pieces: { readonly text: string; readonly kind: string }[] = [];
  let at = 0;
  const push = (end: number, kind: string) => {
    const piece = text.slice(at, end);
    if (end > at) pieces.push({ text: piece, kind: piece.trim() === '' ? 'space' : kind });
    at = Math.max(at, end);
  };
  for (const token of parse(text).tokens) {
    // Text without a token was not understood.
    push(token.start, 'wrong');
    const isWrong = problems.some(({ start, end }) => start < token.end && end > token.start);
    if (token.kind === 'qualifier') {
      push(token.valueStart, 'name');
      push(token.end, isWrong ? 'wrong' : 'value');
    } else push(token.end, isWrong ? 'wrong' : 'text');
  }
  push(text.length, 'wrong');
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
    <span key={index} data-kind={piece.kind}>
      {piece.text}
    </span>
  ));
}

/** The pause in typing after which the search starts. */
const pauseMs = 300;

interface Props {
  readonly q: string;
  readonly problems: readonly Problem[];
  readonly scope: LogScope;
  readonly onChange: (q: string) => void;
  /** Moves the focus to the results. */
  readonly onLeave: () => void;
}

export function QueryBar({ q, problems, scope, onChange, onLeave }: Props) {
  const [text, setText] = useState(q);
  const [caret, setCaret] = useState(q.length);
  const [seen, setSeen] = useState(q);
  /** Queries that were written to the URL and have not arrived there yet. */
  const [sent, setSent] = useState<readonly string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const mirror = useRef<HTMLDivElement>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });

  // After Back or a click on a filter, the text follows the URL.
  if (q !== seen) {
    setSeen(q);
    if (sent.includes(q)) setSent(sent.slice(sent.indexOf(q) + 1));
    else if (q !== text.trim()) setText(q === '' ? '' : `${q} `);
  }

  const apply = (value: string) => {
    const trimmed = value.trim();
    if (trimmed === (sent.at(-1) ?? q)) return;
    setSent([...sent, trimmed]);
    onChange(trimmed);
  };
  const latest = useRef(apply);
  latest.current = apply;
  // An incomplete query is not searched for until it is complete, or Enter is pressed.
  const typed = useTranslation(text.trim());
  const isSound = typed !== undefined && typed.problems.length === 0;
  useEffect(() => {
    if (text.trim() === q || !isSound) return;
    const timer = setTimeout(() => latest.current(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, q, isSound]);

  const choices = useChoices(scope, combobox.dropdownOpened);
  const fragment = fragmentAt(text, caret);
  const wanted =
    fragment.name === 'feature' || (fragment.name === undefined && fragment.text.length > 1)
      ? fragment.text
      : undefined;
  const [query] = useDebouncedValue(wanted, 80);
  const found = useQuery({
    ...read('GET /api/admin/search/features', {
      query: {
        query: query ?? '',
        limit: '8',
        ...(scope.project !== undefined && { project: `IS:${scope.project}` }),
      },
    }),
    enabled: query !== undefined && combobox.dropdownOpened && scope.feature === undefined,
    placeholderData: keepPreviousData,
  }).data;
  const completion = useMemo(
    () =>
      complete(text, caret, {
        ...choices,
        features: (found?.features ?? []).map(({ name, project }) => ({ name, project })),
      }),
    [text, caret, choices, found],
  );
  const { options } = completion;

  const choose = (option: Option) => {
    const next = applyOption(text, completion, option.text);
    // At once: a key that is pressed before the next paint would be inserted before the completion.
    flushSync(() => {
      setText(next.text);
      setCaret(next.caret);
    });
    input.current?.focus();
    input.current?.setSelectionRange(next.caret, next.caret);
    combobox.resetSelectedOption();
    if (next.isComplete) {
      combobox.closeDropdown();
      apply(next.text);
    } else combobox.openDropdown();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const selected = options[combobox.getSelectedOptionIndex()];
    const isOpen = combobox.dropdownOpened && options.length > 0;
    if (event.key === 'Enter' && !(isOpen && selected)) {
      event.preventDefault();
      combobox.closeDropdown();
      apply(text);
    } else if (event.key === 'Tab' && !event.shiftKey && isOpen && fragment.text !== '') {
      const first = selected ?? options[0];
      if (!first) return;
      event.preventDefault();
      choose(first);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (isOpen) combobox.closeDropdown();
      else {
        apply(text);
        onLeave();
      }
    } else if (event.key === 'ArrowDown' && !combobox.dropdownOpened && options.length === 0) {
      event.preventDefault();
      onLeave();
    }
  };

  const shownProblems = problems.filter(
    ({ start, end }) =>
      text.trim() === q && !(start < caret && caret <= end && combobox.dropdownOpened),
  );
  const groups = Map.groupBy(options, ({ group }) => group);
  const hasProblem = shownProblems.length > 0;

  return (
    <Stack gap={4} role="search" aria-label="Events">
      <Combobox
        store={combobox}
        onOptionSubmit={(value) => {
          const option = options.find((each) => each.label === value);
          if (option) choose(option);
        }}
        position="bottom-start"
        width={520}
        transitionProps={{ duration: 0 }}
        withinPortal
      >
        <Combobox.DropdownTarget>
          <div className={classes.bar} data-wrong={hasProblem || undefined}>
            <IconSearch size={16} aria-hidden className={classes.icon} />
            <div className={classes.field}>
              <div ref={mirror} className={classes.mirror} aria-hidden>
                <Mirror text={text} problems={hasProblem ? shownProblems : []} />
              </div>
              <Combobox.EventsTarget>
                <input
                  ref={input}
                  data-search
                  className={classes.input}
                  aria-label="Search events"
                  aria-invalid={hasProblem}
                  aria-describedby={hasProblem ? 'query-problems' : undefined}
                  placeholder="Search or filter, e.g. env:production after:7d"
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  value={text}
                  onChange={({ currentTarget }) => {
                    setText(currentTarget.value);
                    setCaret(currentTarget.selectionStart ?? currentTarget.value.length);
                    combobox.openDropdown();
                    combobox.resetSelectedOption();
                  }}
                  onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
                  onScroll={({ currentTarget }) => {
                    if (mirror.current) mirror.current.scrollLeft = currentTarget.scrollLeft;
                  }}
                  onFocus={() => combobox.openDropdown()}
                  onClick={() => combobox.openDropdown()}
                  onBlur={() => combobox.closeDropdown()}
                  onKeyDown={onKeyDown}
                />
              </Combobox.EventsTarget>
            </div>
            {text === '' ? (
              <Kbd size="xs" aria-hidden>
                /
              </Kbd>
            ) : (
              <CloseButton
                size="sm"
                aria-label="Clear search"
                onClick={() => {
                  setText('');
                  setCaret(0);
                  apply('');
                  input.current?.focus();
                }}
              />
            )}
          </div>
        </Combobox.DropdownTarget>
        <Combobox.Dropdown hidden={options.length === 0}>
          <Combobox.Options mah={340} className={classes.options}>
            {[...groups].map(([group, ofGroup]) => (
              <Combobox.Group key={group} label={group}>
                {ofGroup.map(({ label, hint }) => (
                  <Combobox.Option key={label} value={label}>
                    <Group justify="space-between" wrap="nowrap" gap="md">
                      <span className={classes.label}>{label}</span>
                      <Text size="xs" className="quiet" truncate>
                        {hint}
                      </Text>
                    </Group>
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
          </Combobox.Options>
          <Combobox.Footer>
            <Text size="xs" className="quiet">
              <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> navigate · <Kbd size="xs">Tab</Kbd>{' '}
              complete · <Kbd size="xs">Enter</Kbd> search · <Kbd size="xs">-</Kbd> exclude
            </Text>
          </Combobox.Footer>
        </Combobox.Dropdown>
      </Combobox>
      {hasProblem && (
        <Stack id="query-problems" gap={2} role="alert">
          {shownProblems.map(({ message, start }) => (
            <Group key={`${start} ${message}`} gap={6} wrap="nowrap" className={classes.problem}>
              <IconAlertTriangle size={14} aria-hidden />
              <span>{message}</span>
            </Group>
          ))}
        </Stack>
      )}
    </Stack>
  );
}
