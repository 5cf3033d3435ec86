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

/** So long after g a letter still goes somewhere. */
const goMs = 1_500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type));

/** What is behind a dialog does not hear keys. */
const hasDialog = () => document.querySelector('[role=dialog][aria-modal=true]') !== null;

interface Actions {
  readonly openPalette: () => void;
  readonly openSheet: () => void;
}

/** ⌘K, `/`, `?`, and g with a letter. A letter counts only where nobody is typing. */
export function useShortcuts(actions: Actions): void {
  const navigate = useNavigate();
  const latest = useRef(actions);
  latest.current = actions;
  // Not after the next picture: who sees a page may type.
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
    // Before the keys of a page: a letter after g is not one of theirs.
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [navigate]);
}

interface Shortcut {
  readonly keys: readonly string[];
  readonly meaning: string;
}

/** Every key there is. A page that has another one adds it here. */
const shortcuts: readonly { readonly title: string; readonly keys: readonly Shortcut[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      { keys: commandKey.keys, meaning: 'Search, go somewhere, or do something' },
      { keys: ['/'], meaning: 'Search on this page' },
      { keys: ['?'], meaning: 'Show this list' },
      { keys: ['Esc'], meaning: 'Close what is open' },
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
    title: 'In a list',
    keys: [
      { keys: ['j'], meaning: 'Next row' },
      { keys: ['k'], meaning: 'Previous row' },
      { keys: ['Enter'], meaning: 'Open the row' },
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
