import { agree, decimalText, numberText, plural } from '../../ui/format.ts';
import type { ListedProject } from './list-search.ts';

type Mode = ListedProject['mode'];

interface ModeText {
  readonly value: Mode;
  readonly label: string;
  readonly meaning: string;
}

export const modes: readonly ModeText[] = [
  {
    value: 'open',
    label: 'Open',
    meaning: 'Visible to all users. Root roles also apply.',
  },
  {
    value: 'protected',
    label: 'Protected',
    meaning: 'Visible to all users. Only members can make changes.',
  },
  {
    value: 'private',
    label: 'Private',
    meaning: 'Visible to members and admins only.',
  },
];

export const modeOf = (mode: Mode): ModeText =>
  modes.find(({ value }) => value === mode) ?? { value: mode, label: mode, meaning: '' };

interface Counts {
  readonly features: number;
  readonly stale: number;
  readonly potentiallyStale: number;
}

/** Why the health of a project is what it is. */
export function healthReason({ features, stale, potentiallyStale }: Counts): string {
  if (features === 0) return 'No features yet';
  const due = stale + potentiallyStale;
  if (due === 0) return 'Nothing to clean up';
  const parts = [
    ...(stale > 0 ? [`${numberText(stale)} stale`] : []),
    ...(potentiallyStale > 0 ? [`${numberText(potentiallyStale)} potentially stale`] : []),
  ];
  return `${numberText(due)} of ${plural(features, 'feature')} ${agree(due, 'needs', 'need')} cleanup (${parts.join(', ')})`;
}

/** How a number of the last 30 days compares with the one before: "+3 vs. previous 30 days". */
export function comparedText(current: number, previous: number): string {
  const change = current - previous;
  if (change === 0) return 'Same as previous 30 days';
  return `${change > 0 ? '+' : '−'}${decimalText(Math.abs(change))} vs. previous 30 days`;
}

/** "1 day", "2.5 days". */
export const daysText = (days: number): string => plural(Math.round(days * 10) / 10, 'day');
