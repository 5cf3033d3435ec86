import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/module.ts';
import { listLastRemovals, listNamedEvents, reachEventAt } from '../../history/index.ts';
import { type DefinedFeature, readSnapshotWithPast, type Snapshot } from '../snapshot/index.ts';
import { type ChangedBy, maxDecisions, type PlaygroundSelection } from './environments.ts';

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

/** Parents count too, and the segments of both. An event that the actor may not see is not named. */
async function readChangedBy(
  db: Db,
  actor: Actor,
  { snapshot, past }: Awaited<ReturnType<typeof readSnapshotWithPast>>,
  projects: PlaygroundSelection['projects'],
): Promise<ChangedBy> {
  const { revision: eventId, environments } = snapshot;
  const selected = projects === '*' ? undefined : new Set(projects);
  const all = [...environments].flatMap(([environment, { features }]) =>
    [...features.values()]
      .filter(({ project }) => selected?.has(project) ?? true)
      .map((feature) => ({ feature, features, environment })),
  );
  // The request is refused.
  if (all.length > maxDecisions) return () => undefined;
  const stateIn = (environment: string, name: string) =>
    past.evaluatedFromId('feature-environment', name, environment);
  const places = all.map(({ feature, environment }) => ({ feature: feature.name, environment }));
  const withoutState = places.filter((place) => !stateIn(place.environment, place.feature));
  const removals = new Map<string, Map<string, number>>();
  for (const { feature, environment, id } of await listLastRemovals(db, eventId, withoutState)) {
    const own = removals.get(environment) ?? new Map<string, number>();
    removals.set(environment, own.set(feature, id));
  }
  const changesOf = (each: DefinedFeature, environment: string): number[] => [
    past.evaluatedFromId('feature', each.name) ?? 0,
    stateIn(environment, each.name) ?? removals.get(environment)?.get(each.name) ?? 0,
    ...segmentsOf(each).map((id) => past.evaluatedFromId('segment', String(id)) ?? 0),
  ];
  const lastIds = new Map<DefinedFeature, number>();
  for (const { feature, features, environment } of all) {
    const parents = (feature.definition.dependencies ?? []).flatMap(
      (parent) => features.get(parent.feature) ?? [],
    );
    const ids = [feature, ...parents].flatMap((each) => changesOf(each, environment));
    lastIds.set(feature, Math.max(...ids));
  }
  const events = await listNamedEvents(db, actor, [...new Set(lastIds.values())]);
  const byId = new Map(events.map((event) => [event.id, event]));
  return (feature) => byId.get(lastIds.get(feature) ?? 0);
}

type PastServices = Pick<Services, 'searchDb' | 'transact' | 'system' | 'log' | 'clock'>;

/** What the playground evaluates with as of a moment, and the states from which it was computed. */
export async function readPastSnapshot(
  services: PastServices,
  actor: Actor,
  asOf: string,
  environments: PlaygroundSelection['environments'],
): Promise<Awaited<ReturnType<typeof readSnapshotWithPast>>> {
  const { searchDb, clock } = services;
  const now = clock();
  const eventId = await reachEventAt(services, { asOf, now });
  const moment = { asOf: String(eventId), now };
  const { snapshot, past } = await readSnapshotWithPast(searchDb, moment, environments);
  return { snapshot: await withoutHidden(searchDb, actor, snapshot), past };
}

/** The same with the events that are responsible for the decisions. */
export async function readPastSources(
  services: PastServices,
  actor: Actor,
  asOf: string,
  { environments, projects }: PlaygroundSelection,
): Promise<{ readonly snapshot: Snapshot; readonly changedBy: ChangedBy }> {
  const found = await readPastSnapshot(services, actor, asOf, environments);
  const changedBy = await readChangedBy(services.searchDb, actor, found, projects);
  return { snapshot: found.snapshot, changedBy };
}

/**
 * What SDKs evaluated with, without what the actor doesn't see today. A feature with a segment that is hidden today
 * is left out, because its explanation would show the segment.
 */
async function withoutHidden(db: Db, { sees }: Actor, snapshot: Snapshot): Promise<Snapshot> {
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
