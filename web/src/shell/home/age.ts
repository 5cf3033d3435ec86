import { numberText } from '../../ui/format.ts';

const dayMs = 24 * 60 * 60_000;

/** "62 d old, expected 40 d"; only the age for types without an expected lifetime. */
export function ageText(createdAt: string, lifetimeDays: number | null | undefined, now: Date) {
  const days = Math.floor((now.getTime() - new Date(createdAt).getTime()) / dayMs);
  const age = `${numberText(days)} d old`;
  return lifetimeDays === null || lifetimeDays === undefined
    ? age
    : `${age}, expected ${numberText(lifetimeDays)} d`;
}
