import { plural } from '../ui/format.ts';
/** How long a feature of a type is meant to live, in a sentence. */
export function lifetimeSentence(days: number | null): string {
  if (days === null) return 'It may live for ever.';
  const span = plural(days, 'day');
  return `After ${span} it counts as potentially stale, and the project's health goes down.`;
}
