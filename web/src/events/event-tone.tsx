import { VisuallyHidden } from '@mantine/core';
import { IconCircleFilled, IconMinus, IconPencil, IconPlus, IconPower } from '@tabler/icons-react';
import classes from './events.module.css';
import { type Tone, toneOf } from './sentence.ts';

const signs: Readonly<Record<Tone, { readonly icon: typeof IconPlus; readonly word: string }>> = {
  on: { icon: IconCircleFilled, word: 'On' },
  off: { icon: IconPower, word: 'Off' },
  added: { icon: IconPlus, word: 'Added' },
  removed: { icon: IconMinus, word: 'Removed' },
  changed: { icon: IconPencil, word: 'Changed' },
};

/** The kind of change as a sign: its shape says the same as its colour. */
export function EventTone({ type }: { readonly type: string }) {
  const tone = toneOf(type);
  const { icon: Icon, word } = signs[tone];
  return (
    <span className={classes.tone} data-tone={tone}>
      <Icon size={tone === 'on' ? 9 : 13} aria-hidden stroke={2.5} />
      <VisuallyHidden>{word}: </VisuallyHidden>
    </span>
  );
}
