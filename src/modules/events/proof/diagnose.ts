import type { Db } from '../../../platform/db/database.ts';
import { contentOf, fits, type StoredEvent, walk } from './chain.ts';
import { linkHash } from './hash.ts';

/** What is wrong with a log, and from which event on. */
export interface LogFault {
  readonly eventId: number;
  readonly kind:
    | 'altered'
    | 'removed'
    | 'inserted'
    | 'reordered'
    | 'anchor'
    | 'erasure'
    | 'search text'
    | 'days'
    | 'key'
    | 'structure';
  readonly message: string;
}

export const fault = (kind: LogFault['kind'], eventId: number, message: string): LogFault => ({
  kind,
  eventId,
  message,
});

const span = (from: number, to: number) =>
  from === to ? `Event ${from}` : `The events ${from} to ${to}`;

const were = (from: number, to: number) => (from === to ? 'was' : 'were');

export const removed = (from: number, to: number): LogFault =>
  fault('removed', from, `${span(from, to)} ${were(from, to)} removed`);

const inserted = (from: number, to: number, why: string): LogFault =>
  fault('inserted', from, `${span(from, to)} ${were(from, to)} inserted: ${why}`);

const copied = (id: number, from: number): LogFault =>
  inserted(id, id, `it has the hash of event ${from}`);

export interface BrokenLink {
  readonly event: StoredEvent;
  readonly content: Buffer;
  /** Hashes of the preceding events, the nearest last. */
  readonly before: readonly Buffer[];
  /** The newest id that the tables beside the log mention. */
  readonly lastKnownId: number;
  readonly schema: string;
}

/** By how many positions ids may have been moved up to close a gap. */
const maxShift = 1000;

/**
 * Finds out what was done to a log whose chain breaks at an event. A moved row keeps its hash, and the hash shows where
 * the row was before.
 */
export async function diagnose(
  db: Db,
  { event, content, before, lastKnownId, schema }: BrokenLink,
): Promise<LogFault> {
  const { id, hash } = event;
  const previous = before.at(-1) as Buffer;
  for (let shift = 1; shift < before.length; shift += 1) {
    if (hash.equals(before.at(-shift) as Buffer)) return copied(id, id - shift);
    if (fits(hash, id - shift, before.at(-1 - shift) as Buffer, content)) {
      return inserted(id - shift, id - 1, `event ${id} originally had the id ${id - shift}`);
    }
  }

  const computed = linkHash(id, previous, content);
  let holder: number | undefined;
  let origin: number | undefined;
  let next: LogFault | undefined;
  let last = id;
  for await (const batch of walk(db, id, schema)) {
    for (const other of batch) {
      if (hash.equals(other.hash)) return copied(id, other.id);
      const otherContent = contentOf(other);
      const here = linkHash(id, previous, otherContent);
      const from = [other.id, other.id + 1].find((origin) =>
        fits(hash, origin, other.hash, content),
      );
      origin ??= from ?? (here.equals(hash) ? other.id : undefined);
      if (here.equals(other.hash)) holder ??= other.id;
      if (last === id) next = diagnoseByNext(event, computed, other, otherContent);
      last = other.id;
    }
  }

  if (origin !== undefined) {
    const message = `Event ${id} was reordered: its content originally had the id ${origin}`;
    return fault('reordered', id, message);
  }
  if (holder !== undefined)
    return inserted(id, holder - 1, `event ${holder} originally had the id ${id}`);
  if (next) return next;
  if (id > lastKnownId)
    return inserted(id, id, 'the data derived from the log does not include it');
  if (last < lastKnownId && last === id) return removed(id, id);
  return fault(
    'altered',
    id,
    `Event ${id} was altered: it fits neither the previous event nor the next one`,
  );
}

/** What follows from the event after the broken one, which links to its hash. */
function diagnoseByNext(
  { id, hash }: StoredEvent,
  computed: Buffer,
  next: StoredEvent,
  nextContent: Buffer,
): LogFault | undefined {
  if (fits(next.hash, id + 1, hash, nextContent)) {
    return fault(
      'altered',
      id,
      `Event ${id} was altered: its content does not match its hash, to which event ${next.id} links (or event ${id - 1} was replaced together with its hash)`,
    );
  }
  if (fits(next.hash, id + 1, computed, nextContent)) {
    return fault('altered', id, `Event ${id} was altered: event ${next.id} links to another hash`);
  }
  for (let shift = 1; shift <= maxShift; shift += 1) {
    if (fits(next.hash, id + 1 + shift, hash, nextContent)) return removed(id, id + shift - 1);
  }
  return undefined;
}
