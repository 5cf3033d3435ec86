import { type Entry, toEntry } from '../src/modules/events/record/record.ts';
import type { Actor } from '../src/platform/actor.ts';
import { copyLine } from './copy.ts';
import { tell } from './happenings.ts';
import { placementsOf } from './needles.ts';
import { type Random, seededRandom } from './random.ts';
import { authors } from './vocabulary.ts';

export const batchSize = 5_000;
const seed = 2026;

/** The parameters that all batches of one log share. */
export interface LogPlan {
  readonly events: number;
  /** The id before the first generated event. */
  readonly headId: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** A part of the log without its chain links, which need the last hash of the previous part. */
export interface Batch {
  readonly firstId: number;
  /** Rows of `events` without the last column. */
  readonly events: readonly string[];
  readonly contents: readonly string[];
  readonly texts: Uint8Array;
  readonly sideTexts: Uint8Array;
  readonly days: readonly (readonly [day: string, firstId: number, lastId: number])[];
}

/** In the order of `eventLine`; the link is last. */
export const eventColumns = [
  'id',
  'created_at',
  'type',
  'created_by',
  'created_by_user_id',
  'project',
  'environment',
  'feature_name',
  'data',
  'pre_data',
  'tags',
  'label',
  'summary',
  'ip',
  'request_id',
  'actor_seal',
  'subject_keys',
  'subject_seal',
  'hash',
] as const;

const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
const bytea = (hexText: string | null) => (hexText === null ? null : `\\x${hexText}`);

/** Returns the row that `append_events` would write for the entry. */
const eventLine = (id: number, entry: Entry): string =>
  copyLine([
    id,
    entry.createdAt,
    entry.type,
    entry.createdBy,
    entry.createdByUserId,
    entry.project,
    entry.environment,
    entry.featureName,
    json(entry.data),
    json(entry.preData),
    json(entry.tags),
    entry.label,
    entry.summary,
    entry.ip,
    entry.requestId,
    bytea(entry.actorSeal),
    entry.subjectKeys && `{${entry.subjectKeys.join(',')}}`,
    bytea(entry.subjectSeal),
  ]);

export function inventActor(random: Random): Actor {
  const author = authors[random.skewed(authors.length)];
  if (!author) throw new Error('no author');
  return {
    ...author,
    kind: 'person',
    ip: `10.0.${random.integer(8)}.${random.integer(250)}`,
    requestId: random.uuid(),
    may: () => true,
    sees: 'all',
  };
}

/** Generates any batch by its number. Each has its own random seed, so that several can be generated at once. */
export function createInventor({ events, headId, startMs, endMs }: LogPlan) {
  const placements = placementsOf(events);
  const stepMs = (endMs - startMs) / events;
  return (number: number): Batch => {
    const random = seededRandom(seed + number);
    const rows: string[] = [];
    const contents: string[] = [];
    const days = new Map<string, [firstId: number, lastId: number]>();
    let texts = '';
    let sideTexts = '';
    const from = number * batchSize;
    for (let index = from; index < Math.min(from + batchSize, events); index += 1) {
      const id = headId + index + 1;
      const at = new Date(startMs + (index + random.fraction()) * stepMs);
      const entry = toEntry(tell(random, placements.get(index)), inventActor(random), at);
      const { search, searchPreData, searchTags } = entry;
      rows.push(eventLine(id, entry));
      contents.push(entry.content);
      if (search !== null) texts += `${copyLine([id, search])}\n`;
      if (searchPreData !== null) sideTexts += `${copyLine([id, 'preData', searchPreData])}\n`;
      if (searchTags !== null) sideTexts += `${copyLine([id, 'tags', searchTags])}\n`;
      const day = entry.createdAt.slice(0, 10);
      days.set(day, [days.get(day)?.[0] ?? id, id]);
    }
    return {
      firstId: headId + from + 1,
      events: rows,
      contents,
      texts: Buffer.from(texts),
      sideTexts: Buffer.from(sideTexts),
      days: [...days].map(([day, [firstId, lastId]]) => [day, firstId, lastId]),
    };
  };
}
