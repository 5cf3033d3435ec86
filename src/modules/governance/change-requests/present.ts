import type { Db } from '../../../platform/db/database.ts';
import { grouped } from '../../../platform/grouped.ts';
import { joinAnd } from '../../../platform/joined.ts';
import { imageUrlOf } from '../../access/users/index.ts';
import { type ChangeRequestRules, usualRules } from '../../catalogue/projects/index.ts';
import type { JsonObject } from '../../events/index.ts';
import { additionsIn } from './conflicts/additions.ts';
import { findConflicts, findFeatureConflicts } from './conflicts/conflicts.ts';
import { isObject } from './conflicts/merge.ts';
import { type CurrentState, readCurrentState } from './conflicts/touched.ts';
import { hashOf, type StoredChange } from './content.ts';
import {
  findRequest,
  listApprovals,
  listChanges,
  listChangesOnly,
  listComments,
  listEmergencies,
  listRejections,
  listScheduledTouching,
  listSchedules,
  listSegmentNames,
  type StoredRequest,
} from './queries.ts';
import {
  type ChangeRequest,
  type Emergency,
  isOpen,
  type ListedChangeRequest,
  type RequestState,
  type RequestUser,
  type Schedule,
} from './request-schema.ts';
import { expiryOf, rulesOf } from './settings.ts';
import { listCountingApprovers } from './state/approvals.ts';

const groupByRequest = <Row extends { readonly requestId: number }>(rows: readonly Row[]) =>
  grouped(rows, ({ requestId }) => requestId);

export const presentUser = (baseUrl: string, id: number, username: string): RequestUser => ({
  id,
  username,
  imageUrl: imageUrlOf(id, baseUrl),
});

/** A list names the same few users hundreds of times. */
function userPresenter(baseUrl: string) {
  const users = new Map<string, RequestUser>();
  return (id: number, username: string): RequestUser => {
    const key = `${id} ${username}`;
    const known = users.get(key) ?? presentUser(baseUrl, id, username);
    users.set(key, known);
    return known;
  };
}

const namedInTitle = 3;

/**
 * What a request without a title is called: "2 changes to checkout in production". Unleash's UI has no other link to a
 * request than its title.
 */
export function titleOf(
  { title, environment }: Pick<StoredRequest, 'title' | 'environment'>,
  changes: number,
  names: readonly string[],
): string {
  if (title !== null) return title;
  const count = `${changes} ${changes === 1 ? 'change' : 'changes'}`;
  const unique = [...new Set(names)];
  const to = unique.length === 0 ? '' : ` to ${joinAnd(unique, namedInTitle)}`;
  return `${count}${to} in ${environment}`;
}

type ScheduledChange = Awaited<ReturnType<typeof listScheduledTouching>>[number];

interface Details {
  /** Other schedules for the same things. Of single requests: with 10,000 schedules, a list would read thousands of them. */
  readonly scheduled?: readonly ScheduledChange[];
  /** Whose approvals still count. */
  readonly counting?: readonly number[];
  /** Whether the changes of open requests are compared with the present state, so that conflicts are known. */
  readonly isCompared?: boolean;
}

type ChangesByRequest = ReadonlyMap<number, readonly StoredChange[]>;

/** Requests as lists contain them. */
export async function presentRequests(
  db: Db,
  baseUrl: string,
  requests: readonly StoredRequest[],
  { isCompared = true }: Pick<Details, 'isCompared'> = {},
): Promise<ListedChangeRequest[]> {
  const list = isCompared ? listChanges : listChangesOnly;
  const changes = await list(
    db,
    requests.map(({ id }) => id),
  );
  return present(db, baseUrl, requests, groupByRequest(changes), { isCompared });
}

export async function presentRequest(
  db: Db,
  baseUrl: string,
  request: StoredRequest,
): Promise<ChangeRequest> {
  const { id, project } = request;
  const changes = await listChanges(db, [id]);
  const hash = hashOf(changes);
  const features = [...new Set(changes.flatMap(({ feature }) => feature ?? []))];
  const segments = [...new Set(changes.flatMap(({ segmentId }) => segmentId ?? []))];
  const details = isOpen(request.state)
    ? {
        scheduled: await listScheduledTouching(db, project, features, segments),
        counting: await listCountingApprovers(db, request, hash),
      }
    : {};
  const [listed] = await present(db, baseUrl, [request], new Map([[id, changes]]), details);
  const { conflicts = [], ...presented } = listed as ListedChangeRequest;
  return { ...presented, conflicts, hash: hash.toString('hex') };
}

async function present(
  db: Db,
  baseUrl: string,
  requests: readonly StoredRequest[],
  changes: ChangesByRequest,
  { scheduled = [], counting, isCompared = true }: Details = {},
): Promise<ListedChangeRequest[]> {
  const ids = requests.map(({ id }) => id);
  /** Only requests in this state have such rows, and most lists have none of them. */
  const readIn = async <Row extends { readonly requestId: number }>(
    state: RequestState,
    list: (db: Db, requests: readonly number[]) => Promise<Row[]>,
  ) => {
    const wanted = requests.filter((request) => request.state === state).map(({ id }) => id);
    return groupByRequest(wanted.length === 0 ? [] : await list(db, wanted));
  };
  const approvals = groupByRequest(await listApprovals(db, ids));
  const rejections = await readIn('Rejected', listRejections);
  const comments = groupByRequest(await listComments(db, ids));
  const schedules = await readIn('Scheduled', listSchedules);
  const emergencies = await readIn('Applied', listEmergencies);
  const changesOf = ({ id }: StoredRequest) => changes.get(id) ?? [];

  const open = requests.filter(({ state }) => isOpen(state));
  const states = new Map<StoredRequest, CurrentState>();
  for (const group of grouped(isCompared ? open : [], placeOf).values()) {
    const [place] = group as [StoredRequest];
    const state = await readCurrentState(db, place, group.flatMap(changesOf));
    for (const request of group) states.set(request, state);
  }
  const rules = await readRules(db, open);
  const segmentName = await readSegmentNames(db, requests.flatMap(changesOf));

  const user = userPresenter(baseUrl);
  const vote = ({
    userId,
    userName,
    createdAt,
  }: Awaited<ReturnType<typeof listApprovals>>[number]) => ({
    createdBy: user(userId, userName),
    createdAt: createdAt.toISOString(),
  });

  return requests.map((request): ListedChangeRequest => {
    const { id, project, environment, state, stateTimes, minApprovals } = request;
    const own = changesOf(request);
    const current = states.get(request);
    const conflicts = current && findConflicts(project, own, current);
    const unchangeable = current && findFeatureConflicts(project, own, current);
    const reasons = new Map(conflicts?.map(({ changeId, reason }) => [changeId, reason]));
    const describe = (change: StoredChange) => {
      const others = overlaps(change, request, scheduled);
      const conflict = reasons.get(change.id);
      const added = defaultStrategiesOf(change, environment);
      return {
        id: change.id,
        action: change.action,
        payload: change.payload,
        createdBy: user(change.createdByUserId, change.createdBy),
        createdAt: change.createdAt.toISOString(),
        ...(conflict !== undefined && { conflict }),
        ...(added.length > 0 && { defaultStrategies: added }),
        ...(others.length > 0 && { scheduleConflicts: { changeRequests: others } }),
      };
    };
    const byFeature = grouped(
      own.filter(({ feature }) => feature !== null),
      ({ feature }) => feature as string,
    );
    const segments = own
      .filter(({ segmentId }) => segmentId !== null)
      .map((change) => ({
        ...describe(change),
        name: segmentName(change, project),
      }));
    const names = [...byFeature.keys(), ...segments.map(({ name }) => name)];
    const schedule = schedules.get(id)?.[0];
    const emergency = emergencies.get(id)?.[0];
    const expiresAt = expiryOf(request, rules.get(placeOf(request)) ?? usualRules);
    return {
      id,
      title: titleOf(request, own.length, names),
      environment,
      project,
      minApprovals,
      features: [...byFeature].map(([name, changesOfFeature]) => {
        const conflict = changesOfFeature
          .map((change) => unchangeable?.get(change))
          .find((reason) => reason !== undefined);
        const added = changesOfFeature
          .flatMap((change) => defaultStrategiesOf(change, environment))
          .find((each) => each.environment === environment)?.payload;
        return {
          name,
          ...(conflict !== undefined && { conflict }),
          changes: changesOfFeature.map(describe),
          ...(added && { defaultChange: { action: 'addStrategy', payload: added } }),
        };
      }),
      segments,
      changes: own
        .filter(({ feature, segmentId }) => feature === null && segmentId === null)
        .map(describe),
      approvals: (approvals.get(id) ?? []).map((approval) => {
        const counted = counting?.includes(approval.userId);
        return { ...vote(approval), ...(counted !== undefined && { counts: counted }) };
      }),
      rejections: (rejections.get(id) ?? []).map(vote),
      comments: (comments.get(id) ?? []).map(({ text, ...comment }) => ({
        id: comment.id,
        text,
        ...vote(comment),
      })),
      contributors: [request.createdByUserId, ...request.contributors],
      createdBy: user(request.createdByUserId, request.createdBy),
      createdAt: request.createdAt.toISOString(),
      stateTimestamps: stateTimes as Record<string, string>,
      state,
      ...(state === 'Scheduled' && schedule && { schedule: presentSchedule(schedule) }),
      ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
      ...(request.applyFailure !== null && { applyFailure: request.applyFailure }),
      ...(emergency && { emergency: presentEmergency(baseUrl, emergency) }),
      ...(isCompared && { conflicts: conflicts ?? [] }),
    };
  });
}

/** What enabling features adds, as its author saw it. */
const defaultStrategiesOf = (
  change: StoredChange,
  environment: string,
): { environment: string; payload: JsonObject }[] =>
  additionsIn(change, change.base).flatMap((addition) => {
    const payload = isObject(addition.state) ? addition.state.defaultStrategy : undefined;
    return isObject(payload) ? [{ environment: addition.environment ?? environment, payload }] : [];
  });

/** Of a segment that the project can't use any more, because it is gone or belongs to another one, the name that it had. */
async function readSegmentNames(db: Db, changes: readonly StoredChange[]) {
  const ids = [...new Set(changes.flatMap(({ segmentId }) => segmentId ?? []))];
  const rows = ids.length === 0 ? [] : await listSegmentNames(db, ids);
  const segments = new Map(rows.map((row) => [row.id, row]));
  return ({ segmentId, base }: StoredChange, project: string): string => {
    const found = segments.get(segmentId ?? 0);
    const isUsable = found && (found.project === null || found.project === project);
    const name = isUsable ? found.name : isObject(base) && base.name;
    return typeof name === 'string' ? name : `${segmentId}`;
  };
}

const placeOf = ({ project, environment }: StoredRequest) => `${project}/${environment}`;

async function readRules(db: Db, requests: readonly StoredRequest[]) {
  const rules = new Map<string, ChangeRequestRules>();
  for (const [place, [first]] of grouped(requests, placeOf)) {
    if (first) rules.set(place, await rulesOf(db, first));
  }
  return rules;
}

/** A request as it is now. */
export async function presentOne(db: Db, baseUrl: string, id: number): Promise<ChangeRequest> {
  const request = (await findRequest(db, id)) as StoredRequest;
  return presentRequest(db, baseUrl, request);
}

/** Other scheduled requests in the same environment that change the same thing. */
function overlaps(
  change: StoredChange,
  { id, environment }: StoredRequest,
  scheduled: readonly ScheduledChange[],
): { id: number; title?: string }[] {
  const found = new Map<number, string | null>();
  for (const other of scheduled) {
    if (other.id === id || other.environment !== environment) continue;
    if (other.feature !== change.feature || other.segmentId !== change.segmentId) continue;
    if (subjectOf(other) === subjectOf(change)) found.set(other.id, other.title);
  }
  return [...found].map(([other, title]) => ({ id: other, ...(title !== null && { title }) }));
}

/** A strategy by its ID; the state of the feature by the kind of change. */
function subjectOf({ action, payload }: { readonly action: string; readonly payload: unknown }) {
  const isStrategy = action === 'updateStrategy' || action === 'deleteStrategy';
  return isStrategy ? String((payload as { readonly id: unknown }).id) : action;
}

type StoredEmergency = Awaited<ReturnType<typeof listEmergencies>>[number];

export const presentEmergency = (
  baseUrl: string,
  { reason, userId, userName, createdAt, ...emergency }: StoredEmergency,
): Emergency => {
  const { reviewerId, reviewerName, reviewedAt } = emergency;
  return {
    reason,
    createdBy: presentUser(baseUrl, userId, userName),
    createdAt: createdAt.toISOString(),
    ...(reviewerId !== null && {
      reviewedBy: presentUser(baseUrl, reviewerId, reviewerName ?? ''),
    }),
    ...(reviewedAt !== null && { reviewedAt: reviewedAt.toISOString() }),
  };
};

type StoredSchedule = Awaited<ReturnType<typeof listSchedules>>[number];

export const presentSchedule = ({
  scheduledAt,
  status,
  reason,
  timeZone,
  whenOverdue,
}: Omit<StoredSchedule, 'requestId'>): Schedule => ({
  scheduledAt: scheduledAt.toISOString(),
  status,
  ...(reason !== null && { reason }),
  ...(reason !== null && status === 'failed' && { failureReason: reason }),
  ...(timeZone !== null && { timeZone }),
  whenOverdue,
});
