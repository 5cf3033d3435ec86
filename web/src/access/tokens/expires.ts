import { shortDay } from '../../ui/dates.ts';

const dayMs = 86_400_000;

/** When something that expires in so many days, or 'never', does; null for never. */
export const expiryOf = (days: string, now = new Date()): string | null =>
  days === 'never' ? null : new Date(now.getTime() + Number(days) * dayMs).toISOString();

const labels: Readonly<Record<string, string>> = {
  1: 'In 1 day',
  365: 'In 1 year',
  never: 'Never',
};

/** "In 30 days (Dec 18)". */
export function expiresLabel(days: string, now = new Date()): string {
  const label = labels[days] ?? `In ${days} days`;
  const expiresAt = expiryOf(days, now);
  return expiresAt === null ? label : `${label} (${shortDay(expiresAt, now)})`;
}

export const tokenLives = ['7', '30', '90', '365', 'never'];

/** The server accepts at most one month. */
export const inviteLinkLives = ['1', '7', '14', '28'];

/** Whether it is no longer valid. Null never expires. */
export const isExpired = (expiresAt: string | null, now = new Date()): boolean =>
  expiresAt !== null && new Date(expiresAt) <= now;
