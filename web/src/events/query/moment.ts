/** Days and instants such as `2026-11-01`, `7d`, `tuesday` and `yesterday`, in the local time zone. */
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** From `from` to `to`, exclusive. Both are the same for an instant. */
export interface Moment {
  readonly from: Date;
  readonly to: Date;
}

const startOfDay = (date: Date): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate());

const plusDays = (date: Date, days: number): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

const dayFrom = (from: Date): Moment => ({ from, to: plusDays(from, 1) });

const instantAt = (at: Date): Moment => ({ from: at, to: at });

/** The last day of this name: today, if it is one. "last tuesday" is never today. */
function weekday(name: string, now: Date, isLast: boolean): Moment | undefined {
  const index = weekdays.findIndex((day) => name.length >= 3 && day.startsWith(name));
  if (index < 0) return undefined;
  const back = (now.getDay() - index + 7) % 7;
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
  return dayFrom(new Date(now.getFullYear(), now.getMonth() - count, now.getDate()));
}

function calendarDay(text: string): Moment | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const from = new Date(year, month - 1, day);
  const isReal = from.getMonth() === month - 1 && from.getDate() === day;
  return isReal && year > 1000 ? dayFrom(from) : undefined;
}

function calendarMonth(text: string): Moment | undefined {
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || month < 1 || month > 12) return undefined;
  return { from: new Date(year, month - 1), to: new Date(year, month) };
}

function instant(text: string): Moment | undefined {
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/i.test(text))
    return undefined;
  const at = new Date(text.replace(' ', 'T'));
  return Number.isNaN(at.getTime()) ? undefined : instantAt(at);
}

const words: Readonly<Record<string, (now: Date) => Moment>> = {
  now: (now) => instantAt(new Date(Math.ceil(now.getTime() / 60_000) * 60_000)),
  today: (now) => dayFrom(startOfDay(now)),
  yesterday: (now) => dayFrom(plusDays(now, -1)),
  'this week': (now) => {
    const monday = plusDays(now, -((now.getDay() + 6) % 7));
    return { from: monday, to: plusDays(monday, 7) };
  },
  'last week': (now) => {
    const monday = plusDays(now, -((now.getDay() + 6) % 7) - 7);
    return { from: monday, to: plusDays(monday, 7) };
  },
  'this month': (now) => ({
    from: new Date(now.getFullYear(), now.getMonth()),
    to: new Date(now.getFullYear(), now.getMonth() + 1),
  }),
  'last month': (now) => ({
    from: new Date(now.getFullYear(), now.getMonth() - 1),
    to: new Date(now.getFullYear(), now.getMonth()),
  }),
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
