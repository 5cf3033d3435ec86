import { locale } from './format.ts';
import { calendarOf, timeZone } from './time-zone.ts';

/** In the chosen time zone. */
const formatter = (options: Intl.DateTimeFormatOptions) => {
  const local = new Intl.DateTimeFormat(locale, options);
  let utc: Intl.DateTimeFormat | undefined;
  return (instant: Date | string): string => {
    if (timeZone() === 'local') return local.format(new Date(instant));
    utc ??= new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return utc.format(new Date(instant));
  };
};

const isSameYear = (one: Date, other: Date): boolean =>
  calendarOf(one).year === calendarOf(other).year;

/** "Nov 11". */
const dayOfYear = formatter({ day: 'numeric', month: 'short' });

/** "Nov 11, 2025". */
const fullDay = formatter({ day: 'numeric', month: 'short', year: 'numeric' });

/** "Nov 11", with the year if it is not the current one. */
export function shortDay(instant: Date | string, now = new Date()): string {
  const date = new Date(instant);
  return isSameYear(date, now) ? dayOfYear(date) : fullDay(date);
}

/** "Mon, Nov 16"; with the year if it is not the current one. */
const weekday = formatter({ weekday: 'short', day: 'numeric', month: 'short' });
const weekdayOfYear = formatter({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

export function weekdayText(instant: Date | string, now = new Date()): string {
  const date = new Date(instant);
  return (isSameYear(date, now) ? weekday : weekdayOfYear)(date);
}

/** "Mon 3 PM", for the axis of a chart. */
export const hourText = formatter({ weekday: 'short', hour: 'numeric' });

/** "3:04:05 PM". */
export const timeText = formatter({ timeStyle: 'medium' });

/** "3:04 PM". */
export const shortTime = formatter({ timeStyle: 'short' });

/** "Nov 11, 2025, 3:04 PM". */
export const dateTimeText = formatter({ dateStyle: 'medium', timeStyle: 'short' });

/** The whole date and time with its zone, for a tooltip. */
export const exactTime = formatter({ dateStyle: 'full', timeStyle: 'long' });

/** Date and time to the millisecond, for what is compared with logs. */
export const preciseTime = formatter({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZoneName: 'short',
});

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** `Intl` has "2 min. ago" and "2m ago" only. */
const units = [
  ['d', day],
  ['h', hour],
  ['min', minute],
] as const;

/** "2 min ago", "3 h ago", "5 d ago", "in 2 h"; from 7 days on a date. */
export function sinceText(instant: Date | string, now: Date): string {
  const date = new Date(instant);
  const seconds = (now.getTime() - date.getTime()) / 1000;
  const distance = Math.abs(seconds);
  if (distance >= 7 * day) return shortDay(date, now);
  const [unit, length] = units.find(([, each]) => distance >= each) ?? ['min', minute];
  if (distance < minute) return seconds < -1 ? 'in 1 min' : 'just now';
  const text = `${Math.floor(distance / length)} ${unit}`;
  return seconds < 0 ? `in ${text}` : `${text} ago`;
}

/** The zone in which times are shown and entered: "Europe/Oslo". */
export const chosenTimeZone = (): string =>
  timeZone() === 'UTC' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone;
