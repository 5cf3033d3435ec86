/** A day in UTC has 24 hours. Days are written yyyy-MM-dd, so that they compare as text. */
const dayMs = 86_400_000;

const beginOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

/** Returns the instant at which a day ends. */
export const endOf = (day: string): number => beginOf(day) + dayMs;

export const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => dayOf(beginOf(day) + days * dayMs);

export const countDays = (from: string, to: string): number =>
  Math.max(0, (beginOf(to) - beginOf(from)) / dayMs + 1);

export const listDays = (from: string, to: string): string[] =>
  Array.from({ length: countDays(from, to) }, (_, index) => addDays(from, index));

/** Returns whether a text of the form yyyy-MM-dd is a calendar day. */
export const isDay = (text: string): boolean => {
  const at = beginOf(text);
  return !Number.isNaN(at) && dayOf(at) === text && !text.startsWith('0000');
};
