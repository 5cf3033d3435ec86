/** A moment in an address: the ID of an event, or a date and time with a zone, as the API takes it. */
const pattern = /^(\d{1,15}|\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2}))$/;

const isEventId = (moment: string): boolean => /^\d+$/.test(moment);

/** IDs are numbers, because an address has texts of digits in quotation marks. */
export function momentIn(value: unknown): string | number | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (!pattern.test(text)) return undefined;
  return isEventId(text) ? Number(text) : text;
}

interface Recorded {
  readonly id: number;
  readonly createdAt: string;
}

/** Whether an event is part of the state at a moment. */
export const isBy = (moment: string, { id, createdAt }: Recorded): boolean =>
  isEventId(moment)
    ? id <= Number(moment)
    : new Date(createdAt).getTime() <= new Date(moment).getTime();
