import { Tooltip } from './tooltip.tsx';

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

export function sinceText(instant: Date, now: Date): string {
  const seconds = Math.round((instant.getTime() - now.getTime()) / 1000);
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return relative.format(seconds, 'second');
}

/** The exact instant in words, for a title. */
export const exactTime = (instant: string): string => exact.format(new Date(instant));

/** How long ago, with the exact instant on hover. */
export function Since({ instant }: { readonly instant: string }) {
  const date = new Date(instant);
  return (
    <Tooltip label={exact.format(date)}>
      <time dateTime={instant}>{sinceText(date, new Date())}</time>
    </Tooltip>
  );
}
