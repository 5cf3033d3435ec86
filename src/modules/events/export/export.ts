import { Readable } from 'node:stream';
import { csvCell, csvType } from '../../../platform/csv.ts';
import type { EventFieldVisibility } from '../event-json.ts';
import type { Filter, Paging } from '../search/filter.ts';
import type { Batch, Search } from '../search/search.ts';

/** Large enough that the two round trips for a batch do not matter. */
const mostEvents = 500;
/** The memory that a slow reader may hold. Batches of long events have fewer of them. */
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
  /** Turns the JSON of an event into its line. */
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

/** Copies bytes into blocks of one size. */
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
 * The lines of a batch stay bytes from the database to the reader: strings grew the heap by up to 96 MB. Fails if the
 * log was rewritten after the ids were read.
 */
async function readLines(
  search: Search,
  batch: Batch,
  { order }: Paging,
  visibility: EventFieldVisibility,
  format: Format,
): Promise<Buffer[]> {
  const { add, all } = createBlocks();
  let lines = 0;
  await search.eachJson(batch, order, visibility, (json) => {
    add(format.line(json));
    add(format.lineEnd);
    lines += 1;
  });
  // Abort: a mix of lines from before and after an erasure or a removal would be a log that never existed.
  if (lines !== batch.count) throw rewritten();
  return all();
}

const rewritten = () =>
  new Error('the log was rewritten by erasure or retention during the export');

/** Streams the whole result. A batch is read when the reader has taken the previous one. */
export function exportEvents(
  search: Search,
  filter: Filter,
  paging: Paging,
  visibility: EventFieldVisibility,
  format: Format,
): Readable {
  async function* pieces() {
    if (format.head) yield Buffer.from(format.head);
    let left = paging.limit;
    let { offset, after } = paging;
    let most = mostEvents;
    // Events committed while the export runs belong to the next export.
    let upTo: number | undefined;
    let log: Pick<Batch, 'anchor' | 'rewrites'> | undefined;
    while (left > 0) {
      const limit = Math.min(left, most);
      const batch = await search.batch(filter, { ...paging, limit, offset, after, upTo });
      const { anchor, rewrites } = batch;
      if (log && (rewrites !== log.rewrites || anchor !== log.anchor)) throw rewritten();
      log = { anchor, rewrites };
      if (batch.count > 0) {
        const blocks = await readLines(search, batch, paging, visibility, format);
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
