import { weekdayText } from '../ui/dates.ts';
import { plusDays, startOfDay, timeZone } from '../ui/time-zone.ts';

const isOnDay = (date: Date, start: Date): boolean =>
  startOfDay(date).getTime() === start.getTime();

export const isSameDay = (one: string, other: string): boolean =>
  isOnDay(new Date(one), startOfDay(new Date(other)));

/** "Today · Mon, Nov 16", with the time zone if it is UTC. */
export function dayText(instant: string, now = new Date()): string {
  const date = new Date(instant);
  const zone = timeZone() === 'UTC' ? ' · UTC' : '';
  const day = `${weekdayText(date, now)}${zone}`;
  if (isOnDay(date, startOfDay(now))) return `Today · ${day}`;
  return isOnDay(date, plusDays(now, -1)) ? `Yesterday · ${day}` : day;
}
