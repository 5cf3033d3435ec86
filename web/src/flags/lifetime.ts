import { plural } from '../ui/format.ts';

/** How long a feature of a type is expected to live, as a label. */
export const lifetimeText = (days: number | null): string =>
  days === null ? 'No expected lifetime' : `Expected lifetime: ${plural(days, 'day')}`;

/** The same in a sentence, with what follows from it. */
export const lifetimeSentence = (days: number | null): string =>
  days === null
    ? 'Never becomes potentially stale.'
    : `Becomes potentially stale after ${plural(days, 'day')}, which lowers project health.`;
