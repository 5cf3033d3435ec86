import type { Response } from '../../api.ts';
import { dateTimeText, shortDay, shortTime } from '../../ui/dates.ts';
import { capitalized, plural } from '../../ui/format.ts';
import type { Window } from './search.ts';

export type Incident = Response<'GET /api/admin/history/incident'>;
export type IncidentChange = Incident['changes'][number];

const lengthText = (minutes: number): string => {
  if (minutes < 60) return `${minutes} min`;
  return `${minutes / 60} h`;
};

/** "30 min before and after". */
export const windowText = (window: Window): string => `${lengthText(window)} before and after`;

/** How far from the time of the incident: "2 min before", "1 h 5 min after", "at that time". */
export function distanceText(instant: string, at: string): string {
  const difference = new Date(instant).getTime() - new Date(at).getTime();
  const minutes = Math.round(Math.abs(difference) / 60_000);
  if (minutes === 0) return 'at that time';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const length = [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])];
  return `${length.join(' ')} ${difference < 0 ? 'before' : 'after'}`;
}

const stateText = (state: IncidentChange['before']): string =>
  state === null ? 'Not created' : capitalized(state);

/** "Disabled → Enabled"; undefined if the state is the same, or unknown. */
export function turnText({ kind, before, after }: IncidentChange): string | undefined {
  if (kind !== 'feature' || before === after) return undefined;
  if (after === null) return `${stateText(before)} → Deleted`;
  return `${stateText(before)} → ${stateText(after)}`;
}

export type Turn = 'enabled' | 'disabled' | 'changed';

/** What the environment noticed: archived, deleted and not yet created features are not enabled there. */
export function turnOf({ kind, before, after }: IncidentChange): Turn {
  const [was, is] = [before === 'enabled', after === 'enabled'];
  if (kind !== 'feature' || was === is) return 'changed';
  return is ? 'enabled' : 'disabled';
}

/** "12,400 evaluations", "Not evaluated"; undefined if unknown. */
export function reachText({ evaluations }: IncidentChange): string | undefined {
  if (evaluations === null) return undefined;
  return evaluations === 0 ? 'Not evaluated' : plural(evaluations, 'evaluation');
}

type Counted = Pick<Incident, 'evaluationsFrom' | 'evaluationsTo'>;

/** Which hours are counted, because evaluations are stored by the hour. With days if there are two. */
export function countedText({ evaluationsFrom: from, evaluationsTo: to }: Counted): string {
  if (from === null || to === null) {
    return 'Newest first, because evaluations from that time are no longer stored';
  }
  const textOf = shortDay(from) === shortDay(to) ? shortTime : dateTimeText;
  return `Most evaluated first, from ${textOf(from)} to ${textOf(to)}`;
}
