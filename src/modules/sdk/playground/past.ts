import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/module.ts';
import {
  type AsOf,
  listNamedEvents,
  type NamedEvent,
  reachEventAt,
  readLastChanges,
} from '../../history/index.ts';
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

/** The segments of a feature's strategies. */
const segmentsOf = ({ definition }: DefinedFeature): number[] =>
  (definition.strategies ?? []).flatMap(({ segments }) => segments ?? []);

/** The last event that changed something which the decision about a feature depends on. */
export type ChangedBy = (feature: DefinedFeature, environment: string) => NamedEvent | undefined;

/** Parents count too, and the segments of both. An event that the actor may not see is not named. */
async function readChangedBy(db: Db, actor: Actor, snapshot: Snapshot): Promise<ChangedBy> {
  const { revision: eventId, environments } = snapshot;
  const all = [...environments.values()].flatMap(({ features }) => [...features.values()]);
  const changes = await readLastChanges(db, {
    eventId,
    features: [...new Set(all.map(({ name }) => name))],
    environments: [...environments.keys()],
    segments: [...new Set(all.flatMap(segmentsOf))],
  });
  const lastId = (feature: DefinedFeature, environment: string): number => {
    const features = environments.get(environment)?.features;
    const parents = (feature.definition.dependencies ?? []).flatMap(
      (parent) => features?.get(parent.feature) ?? [],
    );
    const ids = [feature, ...parents].flatMap((each) => [
      changes.ofFeature(each.name) ?? 0,
      changes.inEnvironment(each.name, environment) ?? 0,
      ...segmentsOf(each).map((id) => changes.ofSegment(id) ?? 0),
    ]);
    return Math.max(...ids);
  };
  const ids = [...environments].flatMap(([environment, { features }]) =>
    [...features.values()].map((feature) => lastId(feature, environment)),
  );
  const events = await listNamedEvents(db, actor, [...new Set(ids)]);
  const byId = new Map(events.map((event) => [event.id, event]));
  return (feature, environment) => byId.get(lastId(feature, environment));
}

type PastServices = Pick<Services, 'searchDb' | 'transact' | 'system' | 'log' | 'clock'>;

/** What the playground evaluates with as of a moment. */
export async function readPastSources(
  services: PastServices,
  actor: Actor,
  asOf: string,
  environments: readonly string[],
): Promise<{ readonly snapshot: Snapshot; readonly changedBy: ChangedBy }> {
  const { searchDb, clock } = services;
  const now = clock();
  const eventId = await reachEventAt(services, { asOf, now });
  const moment = { asOf: String(eventId), now };
  const snapshot = await readVisibleAsOf(searchDb, actor, moment, environments);
  return { snapshot, changedBy: await readChangedBy(searchDb, actor, snapshot) };
}

/**
 * What SDKs evaluated with, without what the actor doesn't see today. A feature with a segment that is hidden today
 * is left out, because its explanation would show the segment.
 */
async function readVisibleAsOf(
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
