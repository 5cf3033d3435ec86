import { weekdayText } from '../ui/dates.ts';

const dayKey = (date: Date): string => date.toDateString();

export const isSameDay = (one: string, other: string): boolean =>
  dayKey(new Date(one)) === dayKey(new Date(other));

/** "Today · Mon, Nov 16". */
export function dayText(instant: string, now = new Date()): string {
  const date = new Date(instant);
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const day = weekdayText(date, now);
  if (dayKey(date) === dayKey(now)) return `Today · ${day}`;
  return dayKey(date) === dayKey(yesterday) ? `Yesterday · ${day}` : day;
}
