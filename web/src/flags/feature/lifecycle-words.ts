import { shortDay } from '../../ui/dates.ts';
import { plural } from '../../ui/format.ts';
import type { Stage } from '../feature-words.ts';

const meanings: Readonly<Record<Stage, string>> = {
  initial: 'Not evaluated yet',
  'pre-live': 'Evaluated outside production',
  live: 'Evaluated in production',
  completed: 'Ready for code cleanup',
  archived: 'No longer sent to SDKs',
};

interface EnteredStage {
  readonly enteredStageAt: string;
  readonly status?: string | null | undefined;
  readonly statusValue?: string | null | undefined;
}

function outcomeOf({ status, statusValue }: EnteredStage): string[] {
  if (status === 'discarded') return ['Discarded'];
  if (status !== 'kept') return [];
  return [statusValue ? `Kept (variant ${statusValue})` : 'Kept'];
}

const dayMs = 24 * 3_600_000;

/** The current stage with its meaning, a past one with its date, a future one with nothing. */
export function stageLines(
  stage: Stage,
  entered: EnteredStage | undefined,
  isCurrent: boolean,
  now: Date,
): string[] {
  if (!isCurrent)
    return entered ? [shortDay(entered.enteredStageAt, now), ...outcomeOf(entered)] : [];
  if (!entered) return [meanings[stage]];
  const days = Math.floor((now.getTime() - Date.parse(entered.enteredStageAt)) / dayMs);
  const age = days > 0 ? ` (${plural(days, 'day')})` : '';
  return [
    `Since ${shortDay(entered.enteredStageAt, now)}${age}`,
    meanings[stage],
    ...outcomeOf(entered),
  ];
}
