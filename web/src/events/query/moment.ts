import { calendarOf, plusDays, readTime, startOf, startOfDay } from '../../ui/time-zone.ts';

/** Days and instants such as `2026-11-01`, `7d`, `tuesday` and `yesterday`, in the chosen time zone. */
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** From `from` to `to`, exclusive. Both are the same for an instant. */
export interface Moment {
  readonly from: Date;
  readonly to: Date;
}

const dayFrom = (from: Date): Moment => ({ from, to: plusDays(from, 1) });

const instantAt = (at: Date): Moment => ({ from: at, to: at });

/** The last day of this name: today, if it is one. "last tuesday" is never today. */
function weekday(name: string, now: Date, isLast: boolean): Moment | undefined {
  const index = weekdays.findIndex((day) => name.length >= 3 && day.startsWith(name));
  if (index < 0) return undefined;
  const back = (calendarOf(now).weekday - index + 7) % 7;
  return dayFrom(plusDays(now, -(back === 0 && isLast ? 7 : back)));
}

/** Minutes and hours count from this minute, so that a query asked twice is the same; the others from the day. */
function ago(count: number, unit: string, now: Date): Moment {
  if (unit === 'm' || unit === 'h') {
    const minutes = unit === 'm' ? count : count * 60;
    return instantAt(new Date(Math.floor(now.getTime() / 60_000) * 60_000 - minutes * 60_000));
  }
  if (unit === 'd') return dayFrom(plusDays(now, -count));
  if (unit === 'w') return dayFrom(plusDays(now, -7 * count));
  const { year, month, day } = calendarOf(now);
  return dayFrom(startOf(year, month - count, day));
}

function calendarDay(text: string): Moment | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const from = startOf(year, month - 1, day);
  const real = calendarOf(from);
  const isReal = real.month === month - 1 && real.day === day;
  return isReal && year > 1000 ? dayFrom(from) : undefined;
}

function calendarMonth(text: string): Moment | undefined {
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || month < 1 || month > 12) return undefined;
  return { from: startOf(year, month - 1), to: startOf(year, month) };
}

function instant(text: string): Moment | undefined {
  const [, zone] =
    /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}|)$/i.exec(text) ??
    [];
  if (zone === undefined) return undefined;
  const iso = text.replace(' ', 'T');
  const at = zone === '' ? readTime(iso) : new Date(iso);
  return Number.isNaN(at.getTime()) ? undefined : instantAt(at);
}

const mondayBefore = (now: Date): Date => plusDays(now, -((calendarOf(now).weekday + 6) % 7));
const weekFrom = (monday: Date): Moment => ({ from: monday, to: plusDays(monday, 7) });

function monthAgo(now: Date, count: number): Moment {
  const { year, month } = calendarOf(now);
  return { from: startOf(year, month - count), to: startOf(year, month - count + 1) };
}

const words: Readonly<Record<string, (now: Date) => Moment>> = {
  now: (now) => instantAt(new Date(Math.ceil(now.getTime() / 60_000) * 60_000)),
  today: (now) => dayFrom(startOfDay(now)),
  yesterday: (now) => dayFrom(plusDays(now, -1)),
  'this week': (now) => weekFrom(mondayBefore(now)),
  'last week': (now) => weekFrom(plusDays(mondayBefore(now), -7)),
  'this month': (now) => monthAgo(now, 0),
  'last month': (now) => monthAgo(now, 1),
};

/** Undefined if the text is not a time. Spaces and hyphens are the same: `last-tuesday`. */
export function readMoment(given: string, now: Date): Moment | undefined {
  const exact = calendarDay(given) ?? calendarMonth(given) ?? instant(given);
  if (exact) return exact;
  const text = given.trim().toLowerCase().replace(/[-_]+/g, ' ');
  const [, count, unit] = /^(\d{1,4}) ?(m|h|d|w|mo)(?: ago)?$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return ago(Number(count), unit, now);
  const isLast = text.startsWith('last ');
  return words[text]?.(now) ?? weekday(text.replace(/^last /, ''), now, isLast);
}

/** Suggested by the query bar. */
export const offeredMoments = [
  'today',
  'yesterday',
  '1h',
  '24h',
  '7d',
  '30d',
  'this-week',
  'last-week',
  'this-month',
  ...weekdays.slice(1),
  'sunday',
] as const;
