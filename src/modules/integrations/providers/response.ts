import { dayMs } from '../../../platform/clock.ts';

/** The delay in `Retry-After`, in seconds or as an HTTP date; undefined if it cannot be parsed. */
export const readRetryAfter = (value: string | undefined, now: Date): number | undefined => {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text) * 1000);
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  // One of the three forms of an HTTP date has no zone. It means GMT too.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : bounded(at - now.getTime());
};

/** At most a day. */
const bounded = (milliseconds: number) => Math.min(Math.max(0, Math.ceil(milliseconds)), dayMs);

/** The error message in a response body, from any of the usual keys. */
export const readErrorMessage = (body: unknown): string | undefined => {
  if (typeof body !== 'object' || body === null) return undefined;
  const { message, error, errors } = body as Record<string, unknown>;
  const texts = [message, error, ...(Array.isArray(errors) ? errors : [errors])].flatMap(textOf);
  return texts.length === 0 ? undefined : texts.join(' – ');
};

const textOf = (value: unknown): string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  const { error, message } = value as Record<string, unknown>;
  return [error, message].filter((texts) => typeof texts === 'string');
};
