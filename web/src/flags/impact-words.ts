import { numberText, percent } from '../ui/format.ts';

interface Hour {
  readonly environment: string;
  readonly timestamp: string;
  readonly yes: number;
  readonly no: number;
}

/** So far back evaluations are counted. */
export const impactHours = 7 * 24;

const dayMs = 24 * 3_600_000;

/** Rounded to two digits: 252,417 becomes 250,000. */
const roughly = (count: number): number => Number(count.toPrecision(2));

/** "Enabled for 25% of about 250,000 evaluations per day", by the last 24 hours or else by 7 days. */
export function impactText(data: readonly Hour[], environment: string, now: number): string {
  const here = data.filter((hour) => hour.environment === environment);
  const lastDay = here.filter(({ timestamp }) => now - Date.parse(timestamp) < dayMs);
  const counted = lastDay.length > 0 ? lastDay : here;
  const days = lastDay.length > 0 ? 1 : impactHours / 24;
  const yes = counted.reduce((sum, hour) => sum + hour.yes, 0);
  const total = yes + counted.reduce((sum, hour) => sum + hour.no, 0);
  if (total === 0) return 'Not evaluated in the last 7 days';
  const perDay = Math.max(1, roughly(Math.round(total / days)));
  const about = `about ${numberText(perDay)} ${perDay === 1 ? 'evaluation' : 'evaluations'} per day`;
  return yes === 0 ? `Disabled for ${about}` : `Enabled for ${percent(yes, total)} of ${about}`;
}
