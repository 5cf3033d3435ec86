const two = (number: number): string => String(number).padStart(2, '0');

/** The day of an instant where the user is, as a date field has it: "2026-03-03". */
export function localDay(instant: string): string {
  const date = new Date(instant);
  const year = String(date.getFullYear()).padStart(4, '0');
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The first instant of a day where the user is. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00`).toISOString();
