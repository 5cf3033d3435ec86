import type { Actor } from '../../../platform/actor.ts';
import { dayMs, hourMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { badData } from '../../../platform/errors.ts';
import { defineLookup, type LookUp } from '../../../platform/hooks.ts';
import { sees } from '../../../platform/permission.ts';
import { type AsOf, type Past, readPast } from '../as-of.ts';
import { subjectsOf } from '../fold.ts';
import type { Subject } from '../states.ts';
import { maxIncidentEvents } from './contract.ts';
import { type IncidentEvent, listIncidentEvents, listUsers, readHidden } from './queries.ts';

interface Times {
  readonly from: Date;
  readonly to: Date;
}

interface Evaluated extends Times {
  readonly names: readonly string[];
  readonly environment: string;
}

/** Asks how often features were evaluated. Those that were not evaluated are left out. */
export const evaluationsBetween = defineLookup<Evaluated, ReadonlyMap<string, number>>(
  'evaluationsBetween',
);

interface Question {
  readonly from: string;
  readonly to: string;
  readonly environment: string;
  readonly project?: string;
}

interface Circumstances {
  readonly db: Db;
  /** The event that decides what was there at a moment. Afterwards the history contains it. */
  readonly reach: (moment: AsOf) => Promise<number>;
  readonly lookUp: LookUp;
  readonly actor: Actor;
  readonly now: Date;
  readonly metricsRetentionDays: number;
}

type FeatureState = 'enabled' | 'disabled' | 'archived';

/** Events of one incident by what they changed. */
interface Changed {
  readonly kind: 'feature' | 'segment' | 'other';
  /** The name of a feature, or the ID of a segment. */
  readonly key: string;
  readonly events: IncidentEvent[];
}

function subjectOf(event: IncidentEvent): Pick<Changed, 'kind' | 'key'> {
  const subjects = subjectsOf(event);
  const isAbout = (subject: Subject) =>
    subject.key === event.featureName &&
    (subject.kind === 'feature' || subject.kind === 'feature-environment');
  if (subjects.some(isAbout)) return { kind: 'feature', key: event.featureName ?? '' };
  const segment = subjects.find(({ kind }) => kind === 'segment');
  return segment ? { kind: 'segment', key: segment.key } : { kind: 'other', key: '' };
}

function bySubject(events: readonly IncidentEvent[]): Changed[] {
  const found = new Map<string, Changed>();
  for (const event of events) {
    const { kind, key } = subjectOf(event);
    const name = JSON.stringify([kind, key]);
    const changed = found.get(name) ?? { kind, key, events: [] };
    changed.events.push(event);
    found.set(name, changed);
  }
  return [...found.values()];
}

function stateIn(past: Past, name: string, environment: string): FeatureState | null {
  const feature = past.find('feature', name);
  if (!feature) return null;
  if (feature.archivedAt !== null) return 'archived';
  const own = past.find('feature-environment', name, environment);
  return own?.enabled === true ? 'enabled' : 'disabled';
}

/** What an actor may see of a moment. */
interface Visible {
  readonly feature: (name: string) => boolean;
  readonly segment: (id: string) => boolean;
}

/** Nobody sees more of the past than of the present. */
async function visibleAmong(
  db: Db,
  actor: Actor,
  { names, segments }: { readonly names: readonly string[]; readonly segments: readonly string[] },
  past: Past,
): Promise<Visible> {
  if (actor.sees === 'all') return { feature: () => true, segment: () => true };
  const hidden = await readHidden(db, actor.sees, { names, segments, eventId: past.eventId });
  const projects = new Set(hidden.projects);
  const seesIn = (project: string | undefined) =>
    project === undefined || (sees(actor, project) && !projects.has(project));
  return {
    feature: (name) =>
      !hidden.features.includes(name) && seesIn(past.find('feature', name)?.project),
    segment: (id) => !hidden.segments.includes(id) && seesIn(past.find('segment', id)?.project),
  };
}

/** Counts are as large as clients say. */
const addUp = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER);

/** Whole hours. */
const hoursOf = ({ from, to }: Times): Times => ({
  from: new Date(Math.floor(from.getTime() / hourMs) * hourMs),
  to: new Date(Math.ceil(to.getTime() / hourMs) * hourMs),
});

const tooMany = () =>
  badData([
    {
      path: '/query',
      message: `More than ${maxIncidentEvents} events match. Choose a shorter range or a project`,
    },
  ]);

const tooLarge = () =>
  badData([
    {
      path: '/query',
      message: 'The matching events are too large. Choose a shorter range or a project',
    },
  ]);

function readTimes({ from, to }: Question, now: Date): Times {
  const times = { from: new Date(from), to: new Date(Math.min(Date.parse(to), now.getTime())) };
  if (!(times.from < times.to)) {
    throw badData([
      { path: '/query/from', message: '/query/from must be in the past, and earlier than to' },
    ]);
  }
  return times;
}

/** What an incident is told from. */
interface Sources {
  readonly environment: string;
  readonly before: Past;
  readonly later: Past;
  /** The features that used a segment, by its ID. */
  readonly users: ReadonlyMap<string, readonly string[]>;
  readonly isVisible: Visible;
  /** Null if evaluations of that time are no longer stored. */
  readonly countOf: (names: readonly string[]) => number | null;
}

function describe({ kind, key, events }: Changed, sources: Sources) {
  const { environment, before, later, users, isVisible, countOf } = sources;
  const common = {
    kind,
    project: events[0]?.project ?? null,
    eventIds: events.map(({ id }) => id),
  };
  const unknown = { before: null, after: null, evaluations: null, features: [] };
  if (kind === 'other') return { ...common, ...unknown, name: null };
  if (kind === 'feature') {
    if (!isVisible.feature(key)) return { ...common, ...unknown, name: key };
    return {
      ...common,
      name: key,
      before: stateIn(before, key, environment),
      after: stateIn(later, key, environment),
      evaluations: countOf([key]),
      features: [],
    };
  }
  const features = [...new Set(users.get(key))].filter(isVisible.feature).sort();
  const segment = isVisible.segment(key)
    ? (later.find('segment', key) ?? before.find('segment', key))
    : undefined;
  return {
    ...common,
    ...unknown,
    name: segment?.name ?? key,
    evaluations: countOf(features),
    features,
  };
}

/** What changed, and the features that used what changed. */
const subjectsFor = (groups: readonly Changed[], users: readonly string[]): Subject[] => [
  ...groups.flatMap(({ kind, key }): Subject[] => {
    if (kind === 'other') return [];
    if (kind === 'segment') return [{ kind, key }];
    return [
      { kind, key },
      { kind: 'feature-environment', key },
    ];
  }),
  ...users.map((key): Subject => ({ kind: 'feature', key })),
];

/** What changed in an environment between two times: what was evaluated most first, then the newest. */
export async function getIncident(question: Question, circumstances: Circumstances) {
  const { environment, project } = question;
  const { db, reach, lookUp, actor, now, metricsRetentionDays } = circumstances;
  const times = readTimes(question, now);
  const moment = (at: Date) => ({ asOf: at.toISOString(), now, isOfRange: true as const });
  const after = await reach(moment(times.from));
  const upTo = await reach(moment(times.to));
  const happened = await listIncidentEvents(db, {
    ...{ after, upTo, environment, project },
    sees: actor.sees,
    showsAddresses: actor.may('ADMIN'),
    limit: maxIncidentEvents + 1,
  });
  if (!happened) throw tooLarge();
  if (happened.length > maxIncidentEvents) throw tooMany();

  const groups = bySubject(happened);
  const keysOf = (wanted: Changed['kind']) =>
    groups.flatMap(({ kind, key }) => (kind === wanted ? [key] : []));
  const segments = keysOf('segment');
  const used = [
    ...(await listUsers(db, { segments, environment, eventId: after })),
    ...(await listUsers(db, { segments, environment, eventId: upTo })),
  ];
  const users = new Map(
    segments.map((key) => [
      key,
      used.flatMap(({ segment, feature }) => (segment === key ? [feature] : [])),
    ]),
  );
  const subjects = subjectsFor(groups, [...new Set(used.map(({ feature }) => feature))]);
  const read = (id: number) => readPast(db, { asOf: String(id), now }, [{ subjects }]);
  const [before, later] = [await read(after), await read(upTo)];
  const named = [...new Set([...keysOf('feature'), ...used.map(({ feature }) => feature)])];
  const seenBefore = await visibleAmong(db, actor, { names: named, segments }, before);
  const seenLater = await visibleAmong(db, actor, { names: named, segments }, later);
  const isVisible: Visible = {
    feature: (name) => seenBefore.feature(name) && seenLater.feature(name),
    segment: (id) => seenBefore.segment(id) && seenLater.segment(id),
  };

  const hours = hoursOf(times);
  const isStored = hours.from.getTime() >= now.getTime() - metricsRetentionDays * dayMs;
  const names = named.filter(isVisible.feature);
  const counted = isStored
    ? await lookUp(evaluationsBetween, db, { names, environment, ...hours })
    : undefined;
  const countOf = (list: readonly string[]) =>
    counted ? list.reduce((sum, name) => addUp(sum, counted.get(name) ?? 0), 0) : null;
  const changes = groups
    .map((group) => describe(group, { environment, before, later, users, isVisible, countOf }))
    .sort(
      (a, b) =>
        (b.evaluations ?? -1) - (a.evaluations ?? -1) ||
        (b.eventIds.at(-1) ?? 0) - (a.eventIds.at(-1) ?? 0),
    );
  return {
    json: happened.map(({ json }) => json),
    evaluationsFrom: counted ? hours.from.toISOString() : null,
    evaluationsTo: counted ? hours.to.toISOString() : null,
    changes,
  };
}
