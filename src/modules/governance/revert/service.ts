import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { AppError, badData, conflict, notFound } from '../../../platform/errors.ts';
import { demand } from '../../../platform/permission.ts';
import { createSlices } from '../../../platform/slices.ts';
import { refuseLargeTransaction } from '../../../platform/volume.ts';
import { lockGroups } from '../../access/groups/index.ts';
import { lockRole } from '../../access/roles/index.ts';
import { getSettingForUpdate } from '../../access/settings/index.ts';
import { lockAdminAndOwnerRoles } from '../../access/users/index.ts';
import { lockContextField } from '../../catalogue/context-fields/index.ts';
import { lockEnvironments } from '../../catalogue/environments/index.ts';
import { lockProject } from '../../catalogue/projects/index.ts';
import { lockSegment } from '../../catalogue/segments/index.ts';
import { lockStrategyType } from '../../catalogue/strategy-types/index.ts';
import { lockTagType } from '../../catalogue/tags/index.ts';
import {
  attributeReverts,
  commentEvents,
  describeRecorded,
  listRecorded,
  measureRecorded,
} from '../../events/index.ts';
import { lockFeatures, lockFeatureType } from '../../flags/features/index.ts';
import {
  type CurrentState,
  type EventChanges,
  getEventAt,
  nameOfThing,
  readEventChanges,
  readPresentStates,
  type States,
  type Subject,
  subjectsOf,
  type Thing,
  withCompanions,
} from '../../history/index.ts';
import { accessSteps } from './access-steps.ts';
import { catalogueSteps } from './catalogue-steps.ts';
import { maxEvents, maxThings, type Revert } from './contract.ts';
import { featureSteps } from './feature-steps.ts';
import { referencesIn } from './holders.ts';
import { type Plan, planRevert, type SelectedEvent } from './plan.ts';
import { type EventFilter, listCompanionIds, listEvents } from './queries.ts';
import { type Step, type StepServices, stages } from './steps.ts';
import {
  type Board,
  changedThings,
  createBoard,
  inWords,
  isSame,
  nameThing,
  projectOf,
} from './things.ts';

/** What a request wants to revert. */
export type Selection =
  | { readonly eventIds: readonly number[] }
  | { readonly requestId: string }
  | {
      readonly from: string;
      readonly to: string;
      readonly project?: string | undefined;
      readonly environment?: string | undefined;
    };

export interface RevertOptions {
  readonly conflicts: 'refuse' | 'keepCurrent';
  readonly comment?: string | undefined;
  /** Conflicts are part of the answer and don't prevent it. */
  readonly isDryRun?: boolean;
  /** Of a change request, whose approvals count in no other project. */
  readonly onlyProject?: string;
  /** Needed by all changes that a change request can't make. */
  readonly services?: StepServices;
  /** Who is going to read the outcome, if not the actor. */
  readonly reader?: Actor;
}

/** Everything in the response that is known before the commit. */
export type Outcome = Pick<Revert, 'reverts' | 'changes' | 'conflicts' | 'notReverted'>;

const tooMany = (what: string, most: number) =>
  badData([
    {
      path: '/body',
      message: `/body selects more than ${most.toLocaleString('en')} ${what}. Select fewer`,
    },
  ]);

async function filterOf(db: Db, selection: Selection, now: Date): Promise<EventFilter> {
  if ('eventIds' in selection) return { ids: selection.eventIds };
  if ('requestId' in selection) return { requestId: selection.requestId };
  const { from, to, project, environment } = selection;
  const isId = /^\d+$/.test(from);
  // At a time, the last event up to it had happened already. An event that is named is selected, too.
  const moment = (name: string, asOf: string) => ({ asOf, now, name, isOfRange: true as const });
  const first = isId ? Number(from) : (await getEventAt(db, moment('/body/from', from))) + 1;
  // An incident that is not over ends later than now.
  const end = !/^\d+$/.test(to) && new Date(to) > now ? now.toISOString() : to;
  const last = await getEventAt(db, moment('/body/to', end));
  if (first > last + 1) {
    throw badData([{ path: '/body/from', message: '/body/from must not be later than /body/to' }]);
  }
  return { span: { from: first, to: last }, project, environment };
}

/** The selected events that the actor sees, with what happened together with them. */
async function selectEvents(
  db: Db,
  actor: Actor,
  selection: Selection,
  now: Date,
): Promise<SelectedEvent[]> {
  const filter = await filterOf(db, selection, now);
  const events = await listEvents(db, actor, filter, maxEvents + 1);
  const ids = events.map(({ id }) => id);
  const unknown = filter.ids?.find((id) => !ids.includes(id));
  if (unknown !== undefined) throw notFound('event', unknown);
  const companions = await listCompanionIds(db, actor, ids, maxEvents + 1);
  const missing = companions.filter((id) => !ids.includes(id));
  if (missing.length + ids.length > maxEvents) throw tooMany('events', maxEvents);
  if (missing.length === 0) return events;
  const added = await listEvents(db, actor, { ids: missing }, maxEvents);
  return [...events, ...added].sort((a, b) => a.id - b.id);
}

const namesOf = (subjects: readonly Subject[], kind: Subject['kind']): string[] => [
  ...new Set(subjects.filter((each) => each.kind === kind).map(({ key }) => key)),
];

/** They can take someone's last role as an admin or owner, which their operations lock before all else. */
const changesAccess =
  /^((project-(access|user|group)|group|user|service-account)-|project-(created|deleted)$)/;

/** No one else changes what is merged until the transaction ends. Projects are locked before what they contain. */
async function lockThings(
  tx: Tx,
  events: readonly SelectedEvent[],
  subjects: readonly Subject[],
): Promise<void> {
  if (events.some(({ type }) => changesAccess.test(type))) await lockAdminAndOwnerRoles(tx);
  // Also for default strategies, approvals and access, whose services lock the project.
  for (const id of namesOf(subjects, 'project').sort()) await lockProject(tx, id, 'change');
  const environments = namesOf(subjects, 'environment');
  if (environments.length > 0) await lockEnvironments(tx, environments, 'change');
  await lockRolesAndSettings(tx, subjects);
  const features = namesOf(subjects, 'feature');
  if (features.length > 0) await lockFeatures(tx, features);
  for (const id of numbersOf(subjects, 'segment')) await lockSegment(tx, id);
  for (const name of namesOf(subjects, 'context-field').sort()) {
    await lockContextField(tx, name, 'change');
  }
  for (const name of namesOf(subjects, 'strategy-type').sort()) {
    await lockStrategyType(tx, name, 'change');
  }
  for (const name of namesOf(subjects, 'tag-type').sort()) await lockTagType(tx, name, 'change');
  for (const id of namesOf(subjects, 'feature-type').sort()) await lockFeatureType(tx, id);
}

const numbersOf = (subjects: readonly Subject[], kind: Subject['kind']): number[] =>
  namesOf(subjects, kind)
    .map(Number)
    .sort((a, b) => a - b);

/** As in other operations, after the environments. */
async function lockRolesAndSettings(tx: Tx, subjects: readonly Subject[]): Promise<void> {
  for (const id of numbersOf(subjects, 'role')) await lockRole(tx, id, 'change');
  const groups = numbersOf(subjects, 'group');
  if (groups.length > 0) await lockGroups(tx, groups, 'change');
  for (const id of namesOf(subjects, 'setting').sort()) await getSettingForUpdate(tx, id);
}

/** Reverts events as far as their things can become what they were. */
export async function revertSelected(
  tx: Tx,
  selection: Selection,
  options: RevertOptions,
): Promise<Outcome> {
  const events = await selectEvents(tx.db, tx.actor, selection, tx.now);
  if (events.length === 0) {
    if ('requestId' in selection) throw notFound('request', selection.requestId);
    if (options.isDryRun) return noOutcome;
    throw nothingLeft(noOutcome);
  }
  const subjects = withCompanions(events.flatMap(subjectsOf));
  if (new Set(subjects.map(({ key }) => key)).size > maxThings) throw tooMany('things', maxThings);
  const changes = await readEventChanges(tx.db, events);
  await lockThings(tx, events, subjects);
  const compared = distinct([...subjects, ...referencesOf(events, changes)]);
  const present = await readComparable(tx.db, compared);
  const reader = options.reader ?? tx.actor;
  const plan = await planRevert(tx.actor, events, { changes, present, reader });
  refuseBeyondApprovals(plan, options.onlyProject);
  const things = changedThings(plan.now, plan.target);
  const planned = outcomeOf(plan, things, new Map());
  await refuseLarge(planned);
  if (plan.conflicts.length > 0 && options.conflicts === 'refuse' && !options.isDryRun) {
    throw conflict('Something was changed again later, so nothing was reverted', planned);
  }
  if (things.length === 0) {
    if (options.isDryRun) return planned;
    throw nothingLeft(planned);
  }
  const comment = options.comment?.trim();
  if (comment) commentEvents(tx, comment);
  const sentences = await makeAll(tx, plan, things, planned, options.services);
  await refuseDifference(tx, plan, compared, planned);
  return outcomeOf(plan, things, sentences);
}

const distinct = (subjects: readonly Subject[]): Subject[] => [
  ...new Map(subjects.map(({ kind, key }) => [`${kind} ${key}`, { kind, key }])).values(),
];

/** A response is written at once, also one that refuses. */
const maxCharacters = 4_000_000;

/** Each of a thousand events may conflict with the same large value. */
async function refuseLarge({ changes, conflicts }: Outcome): Promise<void> {
  const slices = createSlices();
  let characters = 0;
  for (const each of [...changes, ...conflicts]) {
    characters += JSON.stringify(each).length;
    if (characters > maxCharacters) {
      throw badData([
        { path: '/body', message: '/body selects changes that are too large. Select fewer events' },
      ]);
    }
    if (slices.isOver()) await slices.pause();
  }
}

/** How these are now. Deleted accounts stay members of groups in the tables, but no operation sees them. */
async function readComparable(
  db: Db,
  subjects: readonly Subject[],
): Promise<readonly CurrentState[]> {
  const states = await readPresentStates(db, subjects);
  const members = states.filter(({ kind }) => kind === 'group-user');
  const accounts = await readPresentStates(
    db,
    distinct(members.map(({ part }) => ({ kind: 'account', key: part }))),
  );
  const active = new Set(accounts.map(({ key }) => key));
  return states.filter(({ kind, part }) => kind !== 'group-user' || active.has(part));
}

/** Whom and what the states before the events refer to. */
const referencesOf = (events: readonly SelectedEvent[], changes: EventChanges): Subject[] =>
  events.flatMap(({ id }) =>
    changes.of(id).flatMap((change) => referencesIn(change, change.before)),
  );

/** What approvals are about. */
const approvable: ReadonlySet<Thing['kind']> = new Set([
  'feature',
  'feature-environment',
  'segment',
]);

/** The default strategy of an environment is approved, too, but not whether and how it is protected. */
function isApprovable(thing: Thing, now: Board, target: Board): boolean {
  if (thing.kind !== 'project-environment') return approvable.has(thing.kind);
  const [is, wanted] = [now, target].map(
    (board) => board.find(thing) as States['project-environment'] | undefined,
  );
  return (
    is !== undefined &&
    wanted !== undefined &&
    isDeepStrictEqual({ ...is, defaultStrategy: null }, { ...wanted, defaultStrategy: null })
  );
}

/** What someone approves in one project must not change another, nor who has access to it. */
function refuseBeyondApprovals({ now, target }: Plan, project: string | undefined): void {
  if (project === undefined) return;
  const changed = changedThings(now, target);
  if (!changed.every((thing) => isApprovable(thing, now, target))) {
    const path = '/body/eventIds';
    throw badData([
      {
        path,
        message: `${path}: a change request can only revert changes of features, segments, and default strategies`,
      },
    ]);
  }
  const other = changed.find((thing) =>
    [now, target].some((board) => {
      const of = projectOf(thing, board.find(thing), board);
      return of !== undefined && of !== project;
    }),
  );
  if (!other) return;
  const path = '/body/eventIds';
  throw badData([{ path, message: `${path} must be events of the project '${project}'` }]);
}

const noOutcome: Outcome = { reverts: [], changes: [], conflicts: [], notReverted: [] };

const nothingLeft = (outcome: Outcome) => conflict('There is nothing to revert', outcome);

function outcomeOf(
  { now, target, reverts, conflicts, notReverted }: Plan,
  things: readonly Thing[],
  sentences: ReadonlyMap<string, readonly string[]>,
): Outcome {
  return {
    reverts: reverts.map(({ id, type, summary, createdAt }) => ({ id, type, summary, createdAt })),
    changes: things.map((thing) => {
      const [before, after] = [now.find(thing), target.find(thing)];
      return {
        ...nameThing(thing, [
          [after, target],
          [before, now],
        ]),
        summary: (sentences.get(nameOfThing(thing)) ?? []).join('\n'),
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      };
    }),
    conflicts,
    notReverted,
  };
}

function stepsOf(
  { now, target }: Plan,
  things: readonly Thing[],
  services: StepServices | undefined,
): Step[] {
  const keysOf = (...kinds: readonly Thing['kind'][]) => [
    ...new Set(things.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => key)),
  ];
  const steps = keysOf('feature', 'feature-environment').flatMap((name) =>
    featureSteps(name, now, target),
  );
  const others = things.flatMap((thing) => catalogueSteps(thing, now, target, services));
  const ofAccess = services ? accessSteps(things, now, target, services) : [];
  return [...steps, ...others, ...ofAccess].toSorted(
    (a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage),
  );
}

/** Returns what was recorded about each thing, in words. */
async function makeAll(
  tx: Tx,
  plan: Plan,
  things: readonly Thing[],
  planned: Outcome,
  services: StepServices | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const sentences = new Map<string, readonly string[]>();
  let recorded = { events: listRecorded(tx).length, characters: 0 };
  for (const step of stepsOf(plan, things, services)) {
    await make(tx, plan, step, planned);
    const name = nameOfThing(step.thing);
    attributeReverts(tx, recorded.events, eventIdsOf(plan, step.thing));
    const said = describeRecorded(tx)
      .slice(recorded.events)
      .map(({ summary }) => summary);
    sentences.set(name, [...(sentences.get(name) ?? []), ...said]);
    recorded = measureRecorded(tx, recorded);
    refuseLargeTransaction(recorded.characters);
  }
  return sentences;
}

/** What changes only because the whole does, such as a feature that is disabled when it comes back, has its events. */
const eventIdsOf = ({ eventIds, reverts }: Plan, thing: Thing): readonly number[] =>
  eventIds.get(nameOfThing(thing)) ??
  [...eventIds].find(([name]) => JSON.parse(name)[1] === thing.key)?.[1] ??
  reverts.map(({ id }) => id);

const fateOf = ({ target }: Plan, thing: Thing): string =>
  target.find(thing) === undefined ? 'removed' : 'restored';

async function make(tx: Tx, plan: Plan, step: Step, planned: Outcome): Promise<void> {
  const { permission, project, environment, run, thing } = step;
  if (permission !== undefined) demand(tx.actor, permission, project, environment);
  try {
    await run(tx);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    if (error.status === 403 && error.name !== 'InvalidOperationError') throw error;
    const [fault] = error.details;
    const why = error.name === 'BadDataError' ? (fault?.message ?? error.message) : error.message;
    const what = inWords(thing, [
      [plan.target.find(thing), plan.target],
      [plan.now.find(thing), plan.now],
    ]);
    throw conflict(`${what} can't be ${fateOf(plan, thing)}: ${why}`, planned);
  }
}

/** Compares what was made with what was planned, because an ordinary change can do more than intended. */
async function refuseDifference(
  tx: Tx,
  { target }: Plan,
  subjects: readonly Subject[],
  planned: Outcome,
): Promise<void> {
  const made = createBoard(await readComparable(tx.db, subjects));
  const different = [...made.things(), ...target.things()].find(
    (thing) => !isSame(thing.kind, made.find(thing), target.find(thing)),
  );
  if (!different) return;
  const what = inWords(different, [
    [target.find(different), target],
    [made.find(different), made as Board],
  ]);
  throw conflict(`${what} can't be restored exactly`, planned);
}
