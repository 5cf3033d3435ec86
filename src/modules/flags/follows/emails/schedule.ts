import { dayMs } from '../../../../platform/clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Digests are sent at this hour (UTC): at the beginning of a working day in Europe. */
const digestHour = 6;
/** Weekly ones are sent on Mondays. The first one of all was four days after the beginning of time. */
const firstMonday = 4;

/** How long an immediate email waits for further changes after the first one. */
const gatherMs = minuteMs;
/** The time between two immediate emails. */
const pauseMs = 5 * minuteMs;
/** The longest pause after failures. */
const longestRetryMs = hourMs;

export type MailedFrequency = 'weekly' | 'daily' | 'immediate';

/** The next digest after this instant. */
function nextDigest(frequency: 'weekly' | 'daily', now: Date): Date {
  const [periodMs, days] = frequency === 'weekly' ? [7 * dayMs, firstMonday] : [dayMs, 0];
  const firstMs = days * dayMs + digestHour * hourMs;
  const passed = Math.floor((now.getTime() - firstMs) / periodMs);
  return new Date(firstMs + (passed + 1) * periodMs);
}

/** When an email about a change is sent, unless the pause after the last email ends later. */
export const dueAfterChange = (frequency: MailedFrequency, now: Date): Date =>
  frequency === 'immediate' ? new Date(now.getTime() + gatherMs) : nextDigest(frequency, now);

/** The earliest time of the next email. */
export const dueAfterEmail = (frequency: MailedFrequency, now: Date): Date =>
  frequency === 'immediate' ? new Date(now.getTime() + pauseMs) : nextDigest(frequency, now);

/** Failures are retried after 1, 2, 4 … minutes. */
export const dueAfterFailure = (failures: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(minuteMs * 2 ** Math.min(failures, 10), longestRetryMs));
