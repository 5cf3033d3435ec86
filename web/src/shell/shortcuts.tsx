import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

const goTo = { h: '/', f: '/search', p: '/projects', e: '/history' } as const;

const names: Readonly<Record<keyof typeof goTo, string>> = {
  h: 'Go to Home',
  f: 'Go to Features',
  p: 'Go to Projects',
  e: 'Go to the event log',
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

interface Actions {
  readonly openPalette: () => void;
  readonly openSheet: () => void;
}

/** ⌘K, `/`, `?`, and g with a letter. A letter counts only where nobody is typing. */
export function useShortcuts(actions: Actions): void {
  const navigate = useNavigate();
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    let isGoing = false;
    const onKey = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey } = event;
      if ((metaKey || ctrlKey) && key.toLowerCase() === 'k') {
        event.preventDefault();
        latest.current.openPalette();
        return;
      }
      if (metaKey || ctrlKey || altKey || isTyping(event.target)) return;
      const wasGoing = isGoing;
      isGoing = key === 'g';
      if (wasGoing && key in goTo) {
        event.preventDefault();
        void navigate({ to: goTo[key as keyof typeof goTo] });
      } else if (key === '?') latest.current.openSheet();
      else if (key === '/') {
        const field = document.querySelector<HTMLElement>('[data-search]');
        if (!field) return;
        event.preventDefault();
        field.focus();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate]);
}

const rows: readonly (readonly [readonly string[], string])[] = [
  [['Ctrl', 'K'], 'Search, go somewhere, or do something'],
  [['/'], 'Search on this page'],
  [['?'], 'Show this list'],
  ...(Object.keys(goTo) as (keyof typeof goTo)[]).map((key) => [['g', key], names[key]] as const),
  [['j', 'k'], 'Next and previous row in a list'],
  [['Enter'], 'Open the row'],
  [['x'], 'Select the row of a feature'],
  [['Shift', 'j'], 'Select on, downwards; with k upwards'],
  [['Esc'], 'Select nothing'],
  [['f'], 'Filter features'],
  [['c'], 'Create a feature'],
];

interface SheetProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export const ShortcutSheet = ({ opened, onClose }: SheetProps) => (
  <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" centered>
    <Stack gap="xs">
      {rows.map(([keys, meaning]) => (
        <Group key={meaning} justify="space-between">
          <Text size="sm">{meaning}</Text>
          <Group gap={4}>
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </Group>
        </Group>
      ))}
    </Stack>
  </Modal>
);
