import { Readable } from 'node:stream';
import { csvCell, csvType } from '../../../platform/csv.ts';
import type { Shown } from '../event-json.ts';
import type { Filter, Paging } from '../search/filter.ts';
import type { Batch, Search } from '../search/search.ts';

/** Many enough that two round trips are lost in them. */
const mostEvents = 500;
/** What a slow reader may hold in memory; a batch of long events has fewer of them. */
const batchBytes = 1024 * 1024;
const blockBytes = 64 * 1024;

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

const csvLine = (json: Buffer): string => {
  const event = JSON.parse(json.toString('utf8')) as Record<string, unknown>;
  return csvColumns.map((column) => csvCell(event[column])).join(',');
};

interface Format {
  readonly contentType: string;
  readonly head: string;
  /** From an event in JSON to its line. */
  readonly line: (json: Buffer) => Buffer;
  readonly lineEnd: Buffer;
}

export const ndjson: Format = {
  contentType: 'application/x-ndjson',
  head: '',
  line: (json) => json,
  lineEnd: Buffer.from('\n'),
};

export const csv: Format = {
  contentType: csvType,
  head: `${csvColumns.join(',')}\r\n`,
  line: (json) => Buffer.from(csvLine(json)),
  lineEnd: Buffer.from('\r\n'),
};

/** Bytes put behind each other in blocks of one size, however they were cut before. */
function createBlocks() {
  const blocks: Buffer[] = [];
  let used = blockBytes;
  return {
    add: (bytes: Buffer) => {
      for (let from = 0; from < bytes.length; ) {
        if (used === blockBytes) {
          blocks.push(Buffer.allocUnsafeSlow(blockBytes));
          used = 0;
        }
        const copied = bytes.copy(blocks.at(-1) as Buffer, used, from);
        used += copied;
        from += copied;
      }
    },
    all: () =>
      blocks.map((block, nth) => (nth < blocks.length - 1 ? block : block.subarray(0, used))),
  };
}

/**
 * The lines of a batch, as bytes from the database to the reader: making a string of each event grew
 * the heap by up to 96 MB. Nothing is answered from a log that was rewritten since its ids were read.
 */
async function readLines(
  search: Search,
  batch: Batch,
  { order }: Paging,
  shown: Shown,
  format: Format,
): Promise<Buffer[]> {
  const { add, all } = createBlocks();
  let lines = 0;
  await search.eachJson(batch, order, shown, (json) => {
    add(format.line(json));
    add(format.lineEnd);
    lines += 1;
  });
  // Half of it from before an erasure or a removal would be a log that never was: break off.
  if (lines !== batch.count) throw rewritten();
  return all();
}

const rewritten = () =>
  new Error('the log was rewritten by erasure or retention during the export');

/** The whole result as a stream: a batch is read when the reader has taken the one before. */
export function exportEvents(
  search: Search,
  filter: Filter,
  paging: Paging,
  shown: Shown,
  format: Format,
): Readable {
  async function* pieces() {
    if (format.head) yield Buffer.from(format.head);
    let left = paging.limit;
    let { offset, after } = paging;
    let most = mostEvents;
    // What is committed while the export runs belongs to the next one.
    let upTo: number | undefined;
    let log: Pick<Batch, 'anchor' | 'rewrites'> | undefined;
    while (left > 0) {
      const limit = Math.min(left, most);
      const batch = await search.batch(filter, { ...paging, limit, offset, after, upTo });
      const { anchor, rewrites } = batch;
      if (log && (rewrites !== log.rewrites || anchor !== log.anchor)) throw rewritten();
      log = { anchor, rewrites };
      if (batch.count > 0) {
        const blocks = await readLines(search, batch, paging, shown, format);
        yield* blocks;
        const bytes = (blocks.length - 0.5) * blockBytes;
        most = Math.min(mostEvents, Math.ceil((batch.count * batchBytes) / bytes));
      }
      if (batch.after === undefined) return;
      upTo = batch.upTo;
      left -= batch.count;
      offset = 0;
      after = batch.after;
    }
  }
  return Readable.from(pieces(), { objectMode: false, highWaterMark: blockBytes });
}
