import { numberText, percent } from '../ui/format.ts';

interface Counted {
  readonly yes: number;
  readonly no: number;
}

interface Hour extends Counted {
  readonly environment: string;
  readonly timestamp: string;
}

/** So far back evaluations are counted. */
export const impactHours = 7 * 24;

const dayMs = 24 * 3_600_000;

/** Rounded to two digits: 252,417 becomes 250,000. */
const roughly = (count: number): number => Number(count.toPrecision(2));

const sumOf = (counts: readonly Counted[]): Counted => ({
  yes: counts.reduce((sum, { yes }) => sum + yes, 0),
  no: counts.reduce((sum, { no }) => sum + no, 0),
});

/** "Enabled for 25% of about 250,000 evaluations per day". */
export function impactOf(counts: readonly Counted[], days: number): string {
  const { yes, no } = sumOf(counts);
  const total = yes + no;
  if (total === 0) return 'Not evaluated in the last 7 days';
  const perDay = Math.max(1, roughly(Math.round(total / days)));
  const about = `about ${numberText(perDay)} ${perDay === 1 ? 'evaluation' : 'evaluations'} per day`;
  return yes === 0 ? `Disabled for ${about}` : `Enabled for ${percent(yes, total)} of ${about}`;
}

/** The impact by the last 24 hours, or else by 7 days. */
export function impactText(data: readonly Hour[], environment: string, now: number): string {
  const here = data.filter((hour) => hour.environment === environment);
  const lastDay = here.filter(({ timestamp }) => now - Date.parse(timestamp) < dayMs);
  return lastDay.length > 0 ? impactOf(lastDay, 1) : impactOf(here, impactHours / 24);
}
