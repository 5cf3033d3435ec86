import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { replaceTables } from '../../../platform/db/replaced-tables.ts';
import { pastTables } from '../past-tables.ts';
import type { Kind, Subject } from '../states.ts';

/** What an actor who doesn't see everything may see of a moment. */
export interface Visible {
  readonly features: ReadonlySet<string>;
  /** By ID. */
  readonly segments: ReadonlySet<string>;
  readonly projects: ReadonlySet<string>;
}

/** Those of some things that an actor may see as they were after an event. */
export async function listVisible(
  db: Db,
  { sees }: Actor,
  eventId: number,
  subjects: readonly Subject[],
): Promise<Visible | 'all'> {
  if (sees === 'all') return 'all';
  const keysOf = (...kinds: readonly Kind[]) => [
    ...new Set(subjects.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => key)),
  ];
  // The time decides nothing about who sees something.
  const past = replaceTables(db, pastTables({ eventId, at: new Date(0), sees }));
  const features = await past
    .selectFrom('features')
    .where(({ eb, fn, val }) =>
      eb('name', '=', fn.any(val(keysOf('feature', 'feature-environment')))),
    )
    .select('name')
    .execute();
  const segments = await past.selectFrom('segments').select('id').execute();
  const projects = await past.selectFrom('projects').select('id').execute();
  return {
    features: new Set(features.map(({ name }) => name)),
    segments: new Set(segments.map(({ id }) => String(id))),
    projects: new Set(projects.map(({ id }) => id)),
  };
}
