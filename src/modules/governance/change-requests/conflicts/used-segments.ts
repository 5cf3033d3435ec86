import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { instantText } from '../../../../platform/db/instant-text.ts';
import { type LoggedEvent, readEventChanges } from '../../../history/index.ts';
import type { StoredChange } from '../content.ts';
import type { Subject } from './subject.ts';

/** The segments that strategies of a change use. A file that is imported has its own ids, so they are found by name. */
export interface UsedSegments {
  readonly ids: readonly number[];
  readonly names: readonly string[];
}

/** The ids in all lists of segments in a payload. */
function segmentIdsIn(payload: unknown, found: number[] = []): number[] {
  if (typeof payload !== 'object' || payload === null) return found;
  for (const [key, value] of Object.entries(payload)) {
    if (key !== 'segments' || !Array.isArray(value)) segmentIdsIn(value, found);
    else found.push(...value.filter((id): id is number => Number.isSafeInteger(id)));
  }
  return found;
}

type Change = Pick<Subject, 'action' | 'payload'>;

const revertedBy = ({ action, payload }: Change): readonly number[] =>
  action === 'revertEvents' ? (payload as { readonly eventIds: readonly number[] }).eventIds : [];

/** The segments that reverting an event brings back, such as those of a removed strategy or a deleted feature. */
async function readSegmentsOfEvents(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<LoggedEvent>`
    select e.id::float8 as id, e.type, ${instantText('e.created_at')} as "createdAt", e.project,
      e.environment, e.feature_name as "featureName", e.data, e.pre_data as "preData"
    from events e where e.id = any(${ids}::bigint[]) order by e.id`.execute(db);
  // The event of a deletion doesn't have the strategies.
  const deletions = rows.filter(({ type }) => type === 'feature-deleted');
  const changes = deletions.length > 0 ? await readEventChanges(db, deletions) : undefined;
  const lostIn = (id: number) => (changes?.of(id) ?? []).map(({ before }) => before);
  return new Map(
    rows.map(({ id, data, preData }) => [id, segmentIdsIn([data, preData, lostIn(id)])]),
  );
}

/** Returns the segments that each of these changes uses. */
export async function readSegmentUses(
  db: Db,
  changes: readonly Change[],
): Promise<(change: Change) => UsedSegments> {
  const ofEvents = await readSegmentsOfEvents(db, changes.flatMap(revertedBy));
  return (change) => {
    const { action, payload } = change;
    if (action !== 'importFeatures') {
      const reverted = revertedBy(change).flatMap((id) => ofEvents.get(id) ?? []);
      return { ids: [...segmentIdsIn(payload), ...reverted], names: [] };
    }
    const { data } = payload as { data: { segments?: readonly WithName[] } };
    return { ids: [], names: (data.segments ?? []).map(({ name }) => name) };
  };
}

/** The ids of the segments with which a change was approved. An import knows its segments by name. */
export const storedSegmentsOf = ({
  action,
  usedSegments,
}: Pick<StoredChange, 'action' | 'usedSegments'>): number[] =>
  action === 'importFeatures' ? [] : Object.keys(usedSegments ?? {}).map(Number);

interface WithName {
  readonly name: string;
}

/** By id and by name. */
export async function readConstraintHashes(
  db: Db,
  used: readonly UsedSegments[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(used.flatMap((each) => each.ids))];
  const names = [...new Set(used.flatMap((each) => each.names))];
  if (ids.length + names.length === 0) return new Map();
  const { rows } = await sql<{ id: number; name: string; hash: string }>`
    select id, name, encode(sha256(convert_to(constraints::text, 'UTF8')), 'hex') as hash
    from segments where id = any(${ids}::bigint[]) or name = any(${names}::text[])`.execute(db);
  return new Map(
    rows.flatMap(({ id, name, hash }) => [
      ...(ids.includes(id) ? [[String(id), hash] as const] : []),
      ...(names.includes(name) ? [[name, hash] as const] : []),
    ]),
  );
}
