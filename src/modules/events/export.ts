import { Readable } from 'node:stream';
import type { Shown } from './event-json.ts';
import type { Filter, Paging } from './filter.ts';
import type { Search } from './search/search.ts';

/** Few enough that a slow reader holds little memory, many enough that the round trip is lost in them. */
const batchSize = 200;

/** A spreadsheet would run a cell that begins like a formula. */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

const csvColumns = [
  'id',
  'createdAt',
  'type',
  'createdBy',
  'createdByUserId',
  'environment',
  'project',
  'featureName',
  'label',
  'summary',
  'data',
  'preData',
  'tags',
  'ip',
  'hash',
] as const;

const csvLine = (json: string): string => {
  const event = JSON.parse(json) as Record<string, unknown>;
  return csvColumns.map((column) => cell(event[column])).join(',');
};

interface Format {
  readonly contentType: string;
  readonly head: string;
  /** From events in JSON to the text that is sent. */
  readonly convert: (events: readonly string[]) => string;
}

export const ndjson: Format = {
  contentType: 'application/x-ndjson',
  head: '',
  convert: (events) => `${events.join('\n')}\n`,
};

export const csv: Format = {
  contentType: 'text/csv; charset=utf-8',
  head: `${csvColumns.join(',')}\r\n`,
  convert: (events) => `${events.map(csvLine).join('\r\n')}\r\n`,
};

/** The whole result as a stream: a batch is read when the reader has taken the one before. */
export function exportEvents(
  search: Search,
  filter: Filter,
  paging: Paging,
  shown: Shown,
  format: Format,
): Readable {
  async function* pieces() {
    if (format.head) yield format.head;
    let left = paging.limit;
    let { offset, after } = paging;
    // What is committed while the export runs belongs to the next one.
    let upTo: number | undefined;
    let rewrites: number | undefined;
    while (left > 0) {
      const limit = Math.min(left, batchSize);
      const batch = await search.batch(filter, { ...paging, limit, offset, after, upTo }, shown);
      // Half of it from before an erasure or a removal would be a log that never was: break off.
      if (rewrites !== undefined && batch.rewrites !== rewrites) {
        throw new Error('the log was rewritten by erasure or retention during the export');
      }
      rewrites = batch.rewrites;
      if (batch.lines.length > 0) yield format.convert(batch.lines);
      if (batch.after === undefined) return;
      upTo = batch.upTo;
      left -= batch.lines.length;
      offset = 0;
      after = batch.after;
    }
  }
  return Readable.from(pieces(), { highWaterMark: 1 });
}
