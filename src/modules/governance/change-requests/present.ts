import type { Db } from '../../../platform/db/database.ts';
import { grouped } from '../../../platform/grouped.ts';
import { joinAnd } from '../../../platform/joined.ts';
import { imageUrlOf } from '../../access/users/index.ts';
import { type ChangeRequestRules, usualRules } from '../../catalogue/projects/index.ts';
import { featureConflict, findConflicts } from './conflicts.ts';
import { hashOf, type StoredChange } from './content.ts';
import {
  findRequest,
  listApprovals,
  listChanges,
  listComments,
  listEmergencies,
  listRejections,
  listScheduledTouching,
  listSchedules,
  type StoredRequest,
} from './queries.ts';
import {
  type ChangeRequest,
  type Emergency,
  isOpen,
  type RequestUser,
  type Schedule,
} from './request-schema.ts';
import { expiryOf, rulesOf } from './settings.ts';
import { listCountingApprovers } from './state/approvals.ts';
import { type CurrentState, readCurrentState } from './touched.ts';

const groupByRequest = <Row extends { readonly requestId: number }>(rows: readonly Row[]) =>
  grouped(rows, ({ requestId }) => requestId);

export const presentUser = (baseUrl: string, id: number, username: string): RequestUser => ({
  id,
  username,
  imageUrl: imageUrlOf(id, baseUrl),
});

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

/**
 * Requests as responses contain them, with everything that belongs to them. Other schedules for the same things, and
 * whether approvals still count, are read for single requests only: with 10,000 schedules, a list would read thousands
 * of them.
 */
export async function presentRequests(
  db: Db,
  baseUrl: string,
  requests: readonly StoredRequest[],
  { detailed = false }: { readonly detailed?: boolean } = {},
): Promise<ChangeRequest[]> {
  const ids = requests.map(({ id }) => id);
  const changes = groupByRequest(await listChanges(db, ids));
  const approvals = groupByRequest(await listApprovals(db, ids));
  const rejections = groupByRequest(await listRejections(db, ids));
  const comments = groupByRequest(await listComments(db, ids));
  const schedules = groupByRequest(await listSchedules(db, ids));
  const emergencies = groupByRequest(await listEmergencies(db, ids));
  const changesOf = ({ id }: StoredRequest): StoredChange[] => changes.get(id) ?? [];

  const open = requests.filter(({ state }) => isOpen(state));
  const states = new Map<StoredRequest, CurrentState>();
  for (const group of grouped(open, placeOf).values()) {
    const [place] = group as [StoredRequest];
    const state = await readCurrentState(db, place, group.flatMap(changesOf));
    for (const request of group) states.set(request, state);
  }
  const rules = await readRules(db, open);
  const closed = requests.filter(({ state }) => !isOpen(state));
  const closedNames = await readCurrentState(
    db,
    { project: '', environment: '' },
    closed.flatMap(changesOf).filter(({ segmentId }) => segmentId !== null),
  );
  const scheduled: ScheduledChange[] = [];
  for (const [project, group] of detailed ? grouped(open, ({ project }) => project) : []) {
    const subjects = group.flatMap(changesOf);
    const features = [...new Set(subjects.flatMap(({ feature }) => feature ?? []))];
    const segments = [...new Set(subjects.flatMap(({ segmentId }) => segmentId ?? []))];
    scheduled.push(...(await listScheduledTouching(db, project, features, segments)));
  }

  const counting = new Map<number, readonly number[]>();
  for (const request of detailed ? open : []) {
    const hash = hashOf(changesOf(request));
    counting.set(request.id, await listCountingApprovers(db, request, hash));
  }

  const user = (id: number, username: string) => presentUser(baseUrl, id, username);
  const vote = ({
    userId,
    userName,
    createdAt,
  }: Awaited<ReturnType<typeof listApprovals>>[number]) => ({
    createdBy: user(userId, userName),
    createdAt: createdAt.toISOString(),
  });

  return requests.map((request): ChangeRequest => {
    const { id, project, environment, state, stateTimes, minApprovals } = request;
    const own = changesOf(request);
    const current = states.get(request);
    const conflicts = current ? findConflicts(project, own, current) : [];
    const reasons = new Map(conflicts.map(({ changeId, reason }) => [changeId, reason]));
    const describe = (change: StoredChange) => {
      const others = overlaps(change, request, scheduled);
      const conflict = reasons.get(change.id);
      return {
        id: change.id,
        action: change.action,
        payload: change.payload,
        createdBy: user(change.createdByUserId, change.createdBy),
        createdAt: change.createdAt.toISOString(),
        ...(conflict !== undefined && { conflict }),
        ...(others.length > 0 && { scheduleConflicts: { changeRequests: others } }),
      };
    };
    const byFeature = grouped(
      own.filter(({ feature }) => feature !== null),
      ({ feature }) => feature as string,
    );
    const { segmentNames } = current ?? closedNames;
    const segments = own
      .filter(({ segmentId }) => segmentId !== null)
      .map((change) => ({
        ...describe(change),
        name: segmentNames.get(change.segmentId as number) ?? `${change.segmentId}`,
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
        const conflict =
          current &&
          changesOfFeature
            .map((change) => featureConflict(change, project, current))
            .find((reason) => reason !== undefined);
        return {
          name,
          ...(conflict !== undefined && { conflict }),
          changes: changesOfFeature.map(describe),
        };
      }),
      segments,
      changes: own
        .filter(({ feature, segmentId }) => feature === null && segmentId === null)
        .map(describe),
      approvals: (approvals.get(id) ?? []).map((approval) => {
        const counted = counting.get(id)?.includes(approval.userId);
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
      hash: hashOf(own).toString('hex'),
      conflicts,
    };
  });
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
  const [presented] = await presentRequests(db, baseUrl, [request], { detailed: true });
  return presented as ChangeRequest;
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
