import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { AsOf } from '../../history/index.ts';
import { type DefinedFeature, readSnapshotAsOf, type Snapshot } from '../snapshot/index.ts';

interface Hidden {
  /** Features that are in a project today which the actor doesn't see. */
  readonly features: readonly string[];
  /** Segments of such projects. */
  readonly segments: readonly number[];
  /** Projects that began after the event, under an ID that an earlier project had. */
  readonly projects: readonly string[];
}

async function readHidden(
  db: Db,
  sees: Exclude<Actor['sees'], 'all'>,
  eventId: number,
): Promise<Hidden> {
  const isSeen = sql`project = any(${[...sees]}::text[])`;
  const { rows } = await sql<Hidden>`
    select array(select name from features where not (${isSeen})) as features,
      array(select id from segments where project is not null and not (${isSeen})) as segments,
      array(select id from projects where first_event_id > ${eventId}) as projects`.execute(db);
  return rows[0] as Hidden;
}

/**
 * What SDKs evaluated with, without what the actor doesn't see today. A feature with a segment that is hidden today
 * is left out, because its explanation would show the segment.
 */
export async function readVisibleAsOf(
  db: Db,
  { sees }: Actor,
  moment: AsOf,
  environments: readonly string[],
): Promise<Snapshot> {
  const snapshot = await readSnapshotAsOf(db, moment, environments);
  if (sees === 'all') return snapshot;
  const hidden = await readHidden(db, sees, snapshot.revision);
  const [names, segments, projects] = [
    new Set(hidden.features),
    new Set(hidden.segments),
    new Set(hidden.projects),
  ];
  const isVisible = ({ name, project, definition }: DefinedFeature): boolean =>
    !names.has(name) &&
    !projects.has(project) &&
    !(definition.strategies ?? []).some((strategy) =>
      (strategy.segments ?? []).some((id) => segments.has(id)),
    );
  return {
    ...snapshot,
    environments: new Map(
      [...snapshot.environments].map(([name, environment]) => [
        name,
        {
          ...environment,
          features: new Map([...environment.features].filter(([, each]) => isVisible(each))),
        },
      ]),
    ),
  };
}
