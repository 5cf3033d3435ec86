import { dayMs } from '../../../../platform/clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Daily emails are sent at this hour (UTC): at the beginning of a working day in Europe. */
const dailyHour = 6;

/** How long an immediate email waits for further changes after the first one. */
const gatherMs = minuteMs;
/** The time between two immediate emails. */
const pauseMs = 5 * minuteMs;
/** The longest pause after failures. */
const longestRetryMs = hourMs;

export type MailedFrequency = 'daily' | 'immediate';

function nextDailyHour(now: Date): Date {
  const at = Math.floor(now.getTime() / dayMs) * dayMs + dailyHour * hourMs;
  return new Date(at > now.getTime() ? at : at + dayMs);
}

/** When an email about a change is sent, unless the pause after the last email ends later. */
export const dueAfterChange = (frequency: MailedFrequency, now: Date): Date =>
  frequency === 'daily' ? nextDailyHour(now) : new Date(now.getTime() + gatherMs);

/** The earliest time of the next email. */
export const dueAfterEmail = (frequency: MailedFrequency, now: Date): Date =>
  frequency === 'daily' ? nextDailyHour(now) : new Date(now.getTime() + pauseMs);

/** Failures are retried after 1, 2, 4 … minutes. */
export const dueAfterFailure = (failures: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(minuteMs * 2 ** Math.min(failures, 10), longestRetryMs));
