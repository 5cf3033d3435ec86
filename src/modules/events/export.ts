import { Readable } from 'node:stream';
import type { Shown } from './event-json.ts';
import type { Filter, Paging } from './filter.ts';
import type { Search } from './search/search.ts';

/** About 100 kB: strings this short are collected young. With 250, memory grew by 93 MB; see bench/. */
const batchSize = 100;

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
  /** From a batch of events, one in JSON a line, to the text that is sent. */
  readonly convert: (lines: string) => string;
}

export const ndjson: Format = {
  contentType: 'application/x-ndjson',
  head: '',
  convert: (lines) => `${lines}\n`,
};

export const csv: Format = {
  contentType: 'text/csv; charset=utf-8',
  head: `${csvColumns.join(',')}\r\n`,
  convert: (lines) => `${lines.split('\n').map(csvLine).join('\r\n')}\r\n`,
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
      if (batch.rows > 0) yield format.convert(batch.lines);
      if (batch.after === undefined) return;
      upTo = batch.upTo;
      left -= batch.rows;
      offset = 0;
      after = batch.after;
    }
  }
  return Readable.from(pieces(), { highWaterMark: 1 });
}
