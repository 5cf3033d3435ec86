const longDay = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});
const longDayOfYear = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'full',
  timeStyle: 'long',
});
const withMilliseconds = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZoneName: 'short',
});

export const numberText = new Intl.NumberFormat().format;

export const timeText = (instant: string): string => time.format(new Date(instant));
export const exactText = (instant: string): string => exact.format(new Date(instant));
export const preciseText = (instant: string): string => withMilliseconds.format(new Date(instant));

const dayKey = (date: Date): string => date.toDateString();

export const isSameDay = (one: string, other: string): boolean =>
  dayKey(new Date(one)) === dayKey(new Date(other));

/** "Today, Monday 16 November". */
export function dayText(instant: string, now = new Date()): string {
  const date = new Date(instant);
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const day = (date.getFullYear() === now.getFullYear() ? longDay : longDayOfYear).format(date);
  if (dayKey(date) === dayKey(now)) return `Today, ${day}`;
  return dayKey(date) === dayKey(yesterday) ? `Yesterday, ${day}` : day;
}
