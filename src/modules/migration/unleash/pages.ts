import { StartError } from '../../../platform/start-error.ts';
import { createPageCounter } from './limits.ts';

/**
 * Pages overlap by so many rows. If something is deleted while a list is read, the following pages begin later, and rows
 * between two pages would be missed. As long as a page begins with a row that was read before, there is no gap.
 */
const overlap = 10;

/** A list that changes faster than it can be read is given up. */
const maxReadings = 5;

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly isLast: boolean;
}

interface PagedList<Row> {
  /** What it is a list of, in messages. */
  readonly what: string;
  readonly mostRows: number;
  /** Undefined: the server does not have this list. */
  readonly readPage: (offset: number) => Promise<Page<Row> | undefined>;
  /** Unique in the list, which is sorted by it. */
  readonly keyOf: (row: Row) => string;
}

/** Reads all pages of a sorted list. Undefined: the server does not have it. */
export async function readAllPages<Row>(list: PagedList<Row>): Promise<Row[] | undefined> {
  for (let readings = 0; readings < maxReadings; readings += 1) {
    const rows = await readOnce(list);
    if (rows !== 'shifted') return rows;
  }
  throw new StartError(
    `The list of ${list.what} couldn't be read without gaps in ${maxReadings} attempts: it keeps changing, or its pages repeat endlessly. Try again later.`,
  );
}

async function readOnce<Row>({
  what,
  mostRows,
  readPage,
  keyOf,
}: PagedList<Row>): Promise<Row[] | undefined | 'shifted'> {
  const countPage = createPageCounter(what, mostRows);
  const byKey = new Map<string, Row>();
  for (let offset = 0; ; ) {
    const page = await readPage(offset);
    if (page === undefined) return undefined;
    const { rows, isLast } = page;
    const [first] = rows;
    if (offset > 0 && (first === undefined || !byKey.has(keyOf(first)))) return 'shifted';
    const before = byKey.size;
    for (const row of rows) byKey.set(keyOf(row), row);
    countPage(byKey.size - before);
    if (isLast || (offset === 0 && first === undefined)) return [...byKey.values()];
    // Everything was read before: so much has been added that the pages begin earlier by more than one page.
    if (byKey.size === before) return 'shifted';
    offset += Math.max(1, rows.length - overlap);
  }
}
