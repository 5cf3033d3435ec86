import { dayMs } from '../../../platform/clock.ts';

/** What `Retry-After` asks for, in seconds or as an HTTP date; undefined when it says nothing readable. */
export const readRetryAfter = (value: string | undefined, now: Date): number | undefined => {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text) * 1000);
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  // Of the three forms of an HTTP date one has no zone; it means GMT too.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : bounded(at - now.getTime());
};

/** Nobody is waited for longer than a day. */
const bounded = (milliseconds: number) => Math.min(Math.max(0, Math.ceil(milliseconds)), dayMs);
