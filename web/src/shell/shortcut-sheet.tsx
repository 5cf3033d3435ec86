import { Group, Kbd, Modal, Stack, Text, Title } from '@mantine/core';
import { modKey } from '../ui/mod-key.ts';
import { commandKey, goTo, type Letter } from './shortcuts.ts';

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
      { keys: ['n'], meaning: 'New feature' },
      { keys: ['Shift', 'f'], meaning: 'Filter' },
      { keys: ['e'], meaning: 'Edit feature' },
      { keys: ['s'], meaning: 'Enable or disable' },
      { keys: ['c'], meaning: 'Clone' },
      { keys: ['f'], meaning: 'Add to or remove from favorites' },
      { keys: ['a'], meaning: 'Archive' },
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

export const ShortcutSheet = ({ onClose }: { readonly onClose: () => void }) => (
  <Modal
    opened
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
