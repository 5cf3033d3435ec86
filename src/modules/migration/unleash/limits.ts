import { exceeded } from '../../../platform/http/json-body.ts';
import { maxDepth } from '../../../platform/http/storable.ts';
import { StartError } from '../../../platform/start-error.ts';

/** How much another server may make us read. */
export interface ReadingLimits {
  /** Bytes of one response, unpacked. */
  readonly responseBytes: number;
  /** Bytes of all responses of one reading, which are in memory together. The event log is not: it goes to a file. */
  readonly readingBytes: number;
  /** From the request to the last byte of its response. */
  readonly responseMs: number;
}

const mebibyte = 1024 * 1024;

/** Ten times what an installation with 10,000 features needs. */
export const usualLimits: ReadingLimits = {
  responseBytes: 64 * mebibyte,
  readingBytes: 1024 * mebibyte,
  responseMs: 60_000,
};

/** Counts the bytes of one reading. */
export interface ReadingBudget {
  bytes: number;
}

const isLog = (path: string): boolean => /^\/api\/admin\/(search\/events|events\/)/.test(path);

/** Reads a body, and stops as soon as it is too large. */
export async function readBody(
  response: Response,
  path: string,
  { responseBytes, readingBytes }: ReadingLimits,
  budget: ReadingBudget,
): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const block of response.body ?? []) {
    bytes += block.length;
    if (!isLog(path)) budget.bytes += block.length;
    if (bytes > responseBytes) {
      throw new StartError(
        `${response.url} returned more than ${responseBytes} bytes, the maximum for one response.`,
      );
    }
    if (budget.bytes > readingBytes) {
      throw new StartError(
        `${new URL(response.url).origin} has more than ${readingBytes} bytes to import, the maximum.`,
      );
    }
    blocks.push(block);
  }
  return Buffer.concat(blocks);
}

const jsonBounds = { values: 5_000_000, entries: 1_000_000, depth: maxDepth };

/** Parses a response that is not nested too deep. Undefined: it is no JSON. */
export function parseResponse(text: string, where: string): unknown {
  const beyond = exceeded(text, jsonBounds);
  if (beyond !== undefined) throw new StartError(`The response to ${where} ${beyond}.`);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Pages of servers have at least 50 items, apart from the last. */
const usualPage = 50;
const shortPages = 100;

/**
 * Counts the pages of a list, and refuses a list without an end: one that is longer than any real one, or whose pages are
 * nearly empty.
 */
export function createPageCounter(what: string, most: number): (items: number) => void {
  let [items, pages] = [0, 0];
  return (count) => {
    items += count;
    pages += 1;
    if (items <= most && pages <= items / usualPage + shortPages) return;
    throw new StartError(
      `The list of ${what} doesn't end: stopped after ${pages} pages with ${items} items.`,
    );
  };
}

/** The longest lists. Their pages are in memory together, except for events, of which there is an index. */
export const mostListed = { features: 200_000, applications: 100_000, events: 5_000_000 };
