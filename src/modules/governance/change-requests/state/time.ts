/** A local time, with seconds and fractions if they are given. */
const localTime = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?$/;
const withOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[zZ]|[+-]\d\d:?\d\d)$/;

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    // Intl also accepts offsets, which know no daylight saving time.
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

/** How many milliseconds a time zone is ahead of UTC at an instant. */
function offsetAt(timeZone: string, instant: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instant);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(
    of('year'),
    of('month') - 1,
    of('day'),
    of('hour'),
    of('minute'),
    of('second'),
  );
  return local - Math.floor(instant / 1000) * 1000;
}

/**
 * The instant of a time in ISO 8601. A time without an offset is one in the time zone: the earlier one if clocks show
 * it twice, and the one an hour later if they skip it. Undefined if it is no time.
 */
export function instantOf(text: string, timeZone: string | undefined): Date | undefined {
  // `Date` takes February 30 for March 2, and 24:00 for the next day.
  const written = text.slice(0, 16).replace(' ', 'T');
  const read = new Date(`${written}Z`);
  if (Number.isNaN(read.getTime()) || !read.toISOString().startsWith(written)) return undefined;
  if (withOffset.test(text)) {
    const instant = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
    return Number.isNaN(instant.getTime()) ? undefined : instant;
  }
  const match = localTime.exec(text);
  if (!match || timeZone === undefined) return undefined;
  const [year, month, day, hour, minute, second = 0] = match
    .slice(1)
    .map((each) => Number(each ?? 0));
  const [y, m, d, h, min] = [year, month, day, hour, minute] as [
    number,
    number,
    number,
    number,
    number,
  ];
  const local = Date.UTC(y, m - 1, d, h, min, second);
  if (second > 59) return undefined;
  const [before, after] = [-1, 1].map((days) => offsetAt(timeZone, local + days * 86_400_000)) as [
    number,
    number,
  ];
  const fits = (offset: number) => offsetAt(timeZone, local - offset) === offset;
  const offset = fits(before) ? before : fits(after) ? after : before;
  return new Date(local - offset);
}
