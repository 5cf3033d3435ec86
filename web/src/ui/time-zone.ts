import { useSyncExternalStore } from 'react';

/** All times are shown in the zone of this browser or in UTC, for comparing them with logs and with others. */
export type TimeZone = 'local' | 'UTC';

const key = 'burgee-time-zone';

const stored = (): TimeZone => (globalThis.localStorage?.getItem(key) === 'UTC' ? 'UTC' : 'local');

let zone = stored();
const listeners = new Set<() => void>();

export const timeZone = (): TimeZone => zone;

function change(next: TimeZone): void {
  zone = next;
  for (const listener of listeners) listener();
}

/** Stored in this browser, like the theme. */
export function setTimeZone(next: TimeZone): void {
  if (next === 'UTC') globalThis.localStorage?.setItem(key, next);
  else globalThis.localStorage?.removeItem(key);
  change(next);
}

// Another tab has changed it.
globalThis.addEventListener?.('storage', () => change(stored()));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useTimeZone = (): TimeZone => useSyncExternalStore(subscribe, timeZone);

/** The day of an instant in the chosen zone. Months and weekdays begin with 0. */
export const calendarOf = (date: Date) =>
  zone === 'UTC'
    ? {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth(),
        day: date.getUTCDate(),
        weekday: date.getUTCDay(),
      }
    : {
        year: date.getFullYear(),
        month: date.getMonth(),
        day: date.getDate(),
        weekday: date.getDay(),
      };

/** The first instant of a day in the chosen zone. Days and months may exceed their range, as with `Date`. */
export const startOf = (year: number, month: number, day = 1): Date =>
  zone === 'UTC' ? new Date(Date.UTC(year, month, day)) : new Date(year, month, day);

/** The first instant of the day that is so many days later. */
export function plusDays(date: Date, days: number): Date {
  const { year, month, day } = calendarOf(date);
  return startOf(year, month, day + days);
}

export const startOfDay = (date: Date): Date => plusDays(date, 0);

/** Reads a time without a zone, such as `2026-01-31T12:00`. */
export const readTime = (text: string): Date => new Date(zone === 'UTC' ? `${text}Z` : text);

/** The value of an `<input type="datetime-local">`; empty for an invalid date. */
export function fieldTime(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const offsetMs = zone === 'UTC' ? 0 : date.getTimezoneOffset() * 60_000;
  return new Date(date.getTime() - offsetMs).toISOString().slice(0, 16);
}
