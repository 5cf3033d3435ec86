import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { badData } from '../../../platform/errors.ts';
import { createSlices } from '../../../platform/slices.ts';
import { mayReadAccess } from '../../access/project-access/index.ts';
import { listChangedSubjects, listResponsible } from '../queries.ts';
import { listSpansAt, maxSpans, readStates, type StoredSpan } from '../spans.ts';
import type { Kind, Subject, World } from '../states.ts';
import { createWorld, type Thing } from '../world.ts';
import { maxChanges } from './contract.ts';
import { type FieldChange, fieldChanges } from './fields.ts';
import { listVisible, type Visible } from './visibility.ts';

interface Question {
  /** Events that the history contains. */
  readonly from: number;
  readonly to: number;
  readonly project?: string;
  readonly environment?: string;
}

interface Change {
  readonly kind: Kind;
  readonly key: string;
  readonly part?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

interface ExplainedChange extends Change {
  readonly summary: string[];
  readonly events: number[];
  readonly fields: FieldChange[];
}

const tooMany = () =>
  badData([
    {
      path: '/query',
      message: `More than ${maxChanges} things changed between these moments. Choose moments that are closer together`,
    },
  ]);

/** The events that led from one moment to the other; more would be too much to say. */
const maxResponsible = 10_000;

const tooManyEvents = () =>
  badData([
    {
      path: '/query',
      message: `More than ${maxResponsible.toLocaleString('en')} events led from one of these moments to the other. Choose moments that are closer together`,
    },
  ]);

const tooMuch = () =>
  badData([
    {
      path: '/query',
      message:
        'What changed between these moments is too large to compare. Choose moments that are closer together',
    },
  ]);

/** How everything was at a moment, of what changed since or before. */
type Past = Pick<World, 'find' | 'partsOf'>;

const nameOfSpan = ({ kind, key, part, fromId }: StoredSpan) =>
  JSON.stringify([kind, key, part, fromId]);

/** How the subjects were after two events. What stayed the same has no state, apart from features, which have a project. */
async function readBoth(
  db: Db,
  subjects: readonly Subject[],
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<readonly [Past, Past]> {
  const [then, later] = [
    await listSpansAt(db, subjects, after),
    await listSpansAt(db, subjects, upTo),
  ];
  if (then.length > maxSpans || later.length > maxSpans) throw tooMuch();
  const [had, has] = [new Set(then.map(nameOfSpan)), new Set(later.map(nameOfSpan))];
  const read = async (spans: readonly StoredSpan[], others: ReadonlySet<string>) => {
    const wanted = spans.filter((span) => span.kind === 'feature' || !others.has(nameOfSpan(span)));
    const states = await readStates(db, wanted);
    if (!states) throw tooMuch();
    return createWorld(states);
  };
  return [await read(then, has), await read(later, had)];
}

function* changesOf({ kind, key }: Subject, before: Past, after: Past): Generator<Change> {
  const [old, fresh] = [before.partsOf(kind, key), after.partsOf(kind, key)];
  for (const part of [...new Set([...old.keys(), ...fresh.keys()])].sort()) {
    const [was, is] = [old.get(part), fresh.get(part)];
    if (isDeepStrictEqual(was, is)) continue;
    yield {
      ...{ kind, key },
      ...(part !== '' && { part }),
      ...(was !== undefined && { before: was }),
      ...(is !== undefined && { after: is }),
    };
  }
}

const inEnvironments: ReadonlySet<Kind> = new Set(['feature-environment', 'project-environment']);
const ofProjects: ReadonlySet<Kind> = new Set([
  'project',
  'project-environment',
  'project-user',
  'project-group',
]);

/** Whether something belongs to a project, before or afterwards. */
function isOf(project: string, { kind, key }: Change, pasts: readonly Past[]): boolean {
  if (ofProjects.has(kind)) return key === project;
  if (kind === 'feature' || kind === 'feature-environment') {
    return pasts.some((past) => past.find('feature', key)?.project === project);
  }
  return kind === 'segment' && pasts.some((past) => past.find('segment', key)?.project === project);
}

/** What everyone can list. Tags, roles, groups, accounts and settings are for administrators. */
const forEveryone: ReadonlySet<Kind> = new Set([
  'environment',
  'context-field',
  'strategy-type',
  'tag-type',
  'feature-type',
]);

/** Whether an actor who doesn't see everything may see a state of a moment. */
function isVisible({ kind, key }: Change, { may }: Actor, visible: Visible): boolean {
  if (kind === 'feature' || kind === 'feature-environment') return visible.features.has(key);
  if (kind === 'segment') return visible.segments.has(key);
  if (!ofProjects.has(kind)) return forEveryone.has(kind);
  if (!visible.projects.has(key)) return false;
  return (
    kind === 'project' ||
    kind === 'project-environment' ||
    mayReadAccess.some((permission) => may(permission, key))
  );
}

const keyOf = ({ kind, key }: Subject) => JSON.stringify([kind, key]);

/** The feature of what it has in an environment says to which project that belongs. */
const withFeatures = (subjects: readonly Subject[]): Subject[] =>
  subjects.flatMap((subject) =>
    subject.kind === 'feature-environment'
      ? [subject, { kind: 'feature', key: subject.key }]
      : [subject],
  );

const distinct = (subjects: readonly Subject[]): Subject[] => [
  ...new Map(subjects.map((subject) => [keyOf(subject), subject])).values(),
];

const bySubject = (a: Subject, b: Subject): number => (keyOf(a) < keyOf(b) ? -1 : 1);

const thingOf = ({ kind, key, part = '' }: Change): Thing => ({ kind, key, part });

/** Adds the events that led from one state to the other, and what differs in particular. */
async function explained(
  db: Db,
  { sees }: Actor,
  changes: readonly Change[],
  span: { readonly after: number; readonly upTo: number },
): Promise<ExplainedChange[]> {
  const responsible = await listResponsible(db, changes.map(thingOf), {
    ...span,
    sees,
    limit: maxResponsible + 1,
  });
  if (responsible.length > maxResponsible) throw tooManyEvents();
  const byThing = new Map<number, { readonly id: number; readonly summary: string }[]>();
  for (const event of responsible) {
    const events = byThing.get(event.thing);
    if (events) events.push(event);
    else byThing.set(event.thing, [event]);
  }
  const slices = createSlices();
  const all: ExplainedChange[] = [];
  for (const [index, change] of changes.entries()) {
    const events = byThing.get(index) ?? [];
    all.push({
      ...change,
      summary: events.map(({ summary }) => summary),
      events: events.map(({ id }) => id),
      fields:
        'before' in change && 'after' in change ? fieldChanges(change.before, change.after) : [],
    });
    if (slices.isOver()) await slices.pause();
  }
  return all;
}

export async function getDifference(
  db: Db,
  actor: Actor,
  { from, to, project, environment }: Question,
) {
  if (from > to) {
    throw badData([{ path: '/query/from', message: '/query/from must not be later than to' }]);
  }
  const span = { after: from, upTo: to };
  const subjects = await listChangedSubjects(db, { ...span, limit: maxChanges + 1 });
  if (subjects.length > maxChanges) throw tooMany();
  const [before, after] = await readBoth(db, distinct(withFeatures(subjects)), span);
  const [then, later] = [
    await listVisible(db, actor, from, subjects),
    await listVisible(db, actor, to, subjects),
  ];
  const isListed = (change: Change) =>
    (project === undefined || isOf(project, change, [before, after])) &&
    (environment === undefined ||
      (inEnvironments.has(change.kind) && change.part === environment)) &&
    (then === 'all' || change.before === undefined || isVisible(change, actor, then)) &&
    (later === 'all' || change.after === undefined || isVisible(change, actor, later));
  const changes: Change[] = [];
  const slices = createSlices();
  for (const subject of subjects.sort(bySubject)) {
    changes.push(...[...changesOf(subject, before, after)].filter(isListed));
    if (slices.isOver()) await slices.pause();
  }
  if (changes.length > maxChanges) throw tooMany();
  return { from, to, changes: await explained(db, actor, changes, span) };
}
