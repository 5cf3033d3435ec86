import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventCollection, PastEvent } from './read.ts';

export interface EventSpool extends EventCollection {
  /** The events in the order of their ids, in portions. */
  readonly portions: (count: number) => Generator<PastEvent[]>;
  readonly close: () => void;
}

const prefixLength = 4;

/**
 * Keeps events in a temporary file until all are there: they arrive newest first and are written oldest first, and a log
 * of years does not fit into memory. The file has no name, so that nothing is left of it if the process is killed.
 */
export function createSpool(): EventSpool {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-import-'));
  const file = openSync(join(folder, 'events'), 'wx+', 0o600);
  rmSync(folder, { recursive: true });
  /** Where in the file an event begins, by its id. */
  const places = new Map<number, number>();
  let end = 0;

  function read(place: number): PastEvent {
    const prefix = Buffer.alloc(prefixLength);
    readSync(file, prefix, 0, prefixLength, place);
    const text = Buffer.alloc(prefix.readUInt32LE());
    readSync(file, text, 0, text.length, place + prefixLength);
    return JSON.parse(text.toString('utf8'));
  }

  return {
    get size() {
      return places.size;
    },
    add(events) {
      const parts: Buffer[] = [];
      for (const event of events) {
        if (places.has(event.id)) continue;
        places.set(event.id, end);
        const text = Buffer.from(JSON.stringify(event));
        const prefix = Buffer.alloc(prefixLength);
        prefix.writeUInt32LE(text.length);
        parts.push(prefix, text);
        end += prefixLength + text.length;
      }
      const all = Buffer.concat(parts);
      for (let written = 0; written < all.length; ) {
        written += writeSync(file, all, written, all.length - written, end - all.length + written);
      }
    },
    *portions(count) {
      const ids = Float64Array.from(places.keys()).sort();
      for (let start = 0; start < ids.length; start += count) {
        yield [...ids.subarray(start, start + count)].map((id) => read(places.get(id) ?? 0));
      }
    },
    close: () => closeSync(file),
  };
}
