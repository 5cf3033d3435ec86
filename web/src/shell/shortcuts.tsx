import { Group, Kbd, Modal, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { modKey } from '../ui/mod-key.ts';

export const commandKey = { label: modKey === '⌘' ? '⌘K' : 'Ctrl K', keys: [modKey, 'K'] };

const goTo = {
  h: '/',
  f: '/search',
  p: '/projects',
  t: '/playground',
  d: '/insights',
  e: '/history',
  s: '/applications',
  i: '/integrations',
  a: '/profile',
} as const;

type Letter = keyof typeof goTo;

const names: Readonly<Record<Letter, string>> = {
  h: 'Home',
  f: 'Features',
  p: 'Projects',
  t: 'Playground',
  d: 'Health',
  e: 'Event log',
  i: 'Integrations',
  s: 'Applications',
  a: 'Your account',
};

/** The keys that go to a page. */
export function keysTo(path: (typeof goTo)[Letter]): readonly string[] {
  const letter = (Object.keys(goTo) as Letter[]).find((each) => goTo[each] === path) as Letter;
  return ['g', letter];
}

/** How long after g a letter still counts. */
const goMs = 1_500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type));

/** Behind a dialog, shortcuts are off. */
const hasDialog = () => document.querySelector('[role=dialog][aria-modal=true]') !== null;

interface Actions {
  readonly openPalette: () => void;
  readonly openSheet: () => void;
}

/** ⌘K, `/`, `?`, and g with a letter. Letters don't count while the user is typing. */
export function useShortcuts(actions: Actions): void {
  const navigate = useNavigate();
  const latest = useRef(actions);
  latest.current = actions;
  // Before the next paint: the user may type as soon as they see the page.
  useLayoutEffect(() => {
    let goingUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey } = event;
      if ((metaKey || ctrlKey) && !altKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!hasDialog()) latest.current.openPalette();
        return;
      }
      if (event.defaultPrevented || metaKey || ctrlKey || altKey) return;
      if (isTyping(event.target) || hasDialog()) return;
      const wasGoing = performance.now() < goingUntil;
      goingUntil = key === 'g' && !wasGoing ? performance.now() + goMs : 0;
      if (wasGoing && key in goTo) {
        event.preventDefault();
        event.stopImmediatePropagation();
        void navigate({ to: goTo[key as Letter] });
      } else if (key === '?') latest.current.openSheet();
      else if (key === '/') {
        const field = document.querySelector<HTMLElement>('[data-search]');
        event.preventDefault();
        if (field) field.focus();
        else latest.current.openPalette();
      }
    };
    // Before the shortcuts of a page: a letter after g isn't one of theirs.
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [navigate]);
}

interface Shortcut {
  readonly keys: readonly string[];
  readonly meaning: string;
}

/** All shortcuts. A page with another one adds it here. */
const shortcuts: readonly { readonly title: string; readonly keys: readonly Shortcut[] }[] = [
  {
    title: 'Global',
    keys: [
      { keys: commandKey.keys, meaning: 'Open command palette' },
      { keys: ['/'], meaning: 'Search on this page' },
      { keys: ['?'], meaning: 'Show keyboard shortcuts' },
      { keys: ['Esc'], meaning: 'Close dialog or panel' },
    ],
  },
  {
    title: 'Go to',
    keys: (Object.keys(goTo) as Letter[]).map((letter) => ({
      keys: ['g', letter],
      meaning: names[letter],
    })),
  },
  {
    title: 'Lists',
    keys: [
      { keys: ['j'], meaning: 'Next row' },
      { keys: ['k'], meaning: 'Previous row' },
      { keys: ['Enter'], meaning: 'Open row' },
    ],
  },
  {
    title: 'Features',
    keys: [
      { keys: ['c'], meaning: 'New feature' },
      { keys: ['f'], meaning: 'Filter' },
      { keys: ['x'], meaning: 'Select row' },
      { keys: ['Shift', 'j'], meaning: 'Extend selection down' },
      { keys: ['Shift', 'k'], meaning: 'Extend selection up' },
      { keys: ['Esc'], meaning: 'Clear selection' },
    ],
  },
  {
    title: 'Event log',
    keys: [{ keys: ['o'], meaning: 'Go to item' }],
  },
  {
    title: 'Editing',
    keys: [
      { keys: [modKey, 'S'], meaning: 'Save or review changes' },
      { keys: [modKey, 'Enter'], meaning: 'Save from a text field' },
    ],
  },
];

interface SheetProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export const ShortcutSheet = ({ opened, onClose }: SheetProps) => (
  <Modal
    opened={opened}
    onClose={onClose}
    title="Keyboard shortcuts"
    centered
    transitionProps={{ duration: 0 }}
  >
    <Stack gap="lg">
      {shortcuts.map(({ title, keys: rows }) => (
        <Stack key={title} gap="xs">
          <Title order={3} size="h6">
            {title}
          </Title>
          {rows.map(({ keys, meaning }) => (
            <Group key={meaning} justify="space-between" wrap="nowrap">
              <Text size="sm">{meaning}</Text>
              <Group gap={4} wrap="nowrap">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Group>
            </Group>
          ))}
        </Stack>
      ))}
    </Stack>
  </Modal>
);
