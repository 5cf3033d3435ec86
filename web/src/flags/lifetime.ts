import { plural } from '../ui/format.ts';

/** How long a feature of a type is expected to live, as a label. */
export const lifetimeText = (days: number | null): string =>
  days === null ? 'No expected lifetime' : `Expected lifetime: ${plural(days, 'day')}`;
