import { plural } from '../../ui/format.ts';
import type { ListedProject } from './list-search.ts';

type Mode = ListedProject['mode'];

export const modes: readonly {
  readonly value: Mode;
  readonly label: string;
  readonly meaning: string;
}[] = [
  {
    value: 'open',
    label: 'Open',
    meaning: 'Everybody who can sign in sees it. Roles of the installation also count here.',
  },
  {
    value: 'protected',
    label: 'Protected',
    meaning: 'Everybody who can sign in sees it. Only roles in the project allow changes.',
  },
  {
    value: 'private',
    label: 'Private',
    meaning: 'Only its members and administrators know that it exists.',
  },
];

interface Counts {
  readonly features: number;
  readonly stale: number;
  readonly potentiallyStale: number;
}

/** Why the health of a project is what it is. */
export function healthReason({ features, stale, potentiallyStale }: Counts): string {
  if (features === 0) return 'There are no features yet.';
  const due = stale + potentiallyStale;
  if (due === 0) return 'No feature is stale or past its lifetime.';
  const parts = [
    ...(stale > 0 ? [`${stale} marked stale`] : []),
    ...(potentiallyStale > 0 ? [`${potentiallyStale} past the lifetime of their type`] : []),
  ];
  return `${due} of ${plural(features, 'feature')} should go: ${parts.join(', ')}.`;
}
