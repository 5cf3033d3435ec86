import { IconCircleFilled, IconMinus, IconPencil, IconPlus, IconPower } from '@tabler/icons-react';
import classes from './events.module.css';
import { type Tone, toneOf } from './sentence.ts';

const icons: Readonly<Record<Tone, typeof IconPlus>> = {
  on: IconCircleFilled,
  off: IconPower,
  added: IconPlus,
  removed: IconMinus,
  changed: IconPencil,
};

/** The kind of change as an icon. Screen readers get it from the verb of the sentence. */
export function EventTone({ type }: { readonly type: string }) {
  const tone = toneOf(type);
  const Icon = icons[tone];
  return (
    <span className={classes.tone} data-tone={tone} aria-hidden>
      <Icon size={tone === 'on' ? 9 : 13} stroke={2.5} />
    </span>
  );
}
