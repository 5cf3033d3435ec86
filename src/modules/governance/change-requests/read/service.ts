import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { sees } from '../../../../platform/permission.ts';
import { usualRules } from '../../../catalogue/projects/index.ts';
import { getRequest, type RequestAddress } from '../access.ts';
import {
  presentEmergency,
  presentRequest,
  presentRequests,
  presentSchedule,
  presentUser,
  titleOf,
} from '../present.ts';
import { listEmergencies, listSchedules, type StoredRequest } from '../queries.ts';
import type { RequestState } from '../request-schema.ts';
import { isListed, mayApproveOwn } from '../state/approvals.ts';
import { maxListed } from './contract.ts';
import {
  countByState,
  countDecidable,
  type Decidable,
  listNames,
  listPendingOf,
  listPendingTouching,
  listRequests,
  listScheduledWith,
  type RequestFilter,
  searchRequests,
} from './queries.ts';

interface Viewer {
  readonly actor: Actor;
  readonly baseUrl: string;
}

export async function readRequest(db: Db, { actor, baseUrl }: Viewer, address: RequestAddress) {
  return presentRequest(db, baseUrl, await getRequest(db, actor, address));
}

export const readRequests = async (db: Db, { actor, baseUrl }: Viewer, project: string) =>
  presentRequests(db, baseUrl, await listRequests(db, actor.id, project, maxListed), {
    isCompared: false,
  });

export const readPendingOwn = async (db: Db, { actor, baseUrl }: Viewer, project: string) =>
  presentRequests(db, baseUrl, await listPendingOf(db, actor.id, project, maxListed));

export const readPendingOf = async (
  db: Db,
  { actor, baseUrl }: Viewer,
  place: { readonly project: string; readonly feature: string },
) => {
  const found = await listPendingTouching(db, actor.id, { ...place, limit: maxListed });
  return presentRequests(db, baseUrl, found);
};

export async function readScheduled(
  db: Db,
  project: string,
  touched: Parameters<typeof listScheduledWith>[2],
) {
  const isEmpty = Object.values(touched).every((value) => value === undefined);
  const rows = isEmpty ? [] : await listScheduledWith(db, project, touched, maxListed);
  return rows.map(({ title, ...row }) => ({ ...row, ...(title !== null && { title }) }));
}

export async function countRequests(db: Db, project: string) {
  const rows = await countByState(db, project);
  const of = (state: RequestState) => rows.find((row) => row.state === state)?.count ?? 0;
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    applied: of('Applied'),
    rejected: of('Rejected'),
    reviewRequired: of('In review'),
    approved: of('Approved'),
    scheduled: of('Scheduled'),
  };
}

/** Only people approve, and only by the rules of the environment. Emergencies are reviewed by the same people. */
async function canReview(db: Db, actor: Actor, group: Decidable): Promise<boolean> {
  const { state, project, environment, isOwn, isApproved } = group;
  if (actor.kind !== 'person') return false;
  if (state !== 'Applied' && (state !== 'In review' || isApproved)) return false;
  if (!actor.may('APPROVE_CHANGE_REQUEST', project, environment)) return false;
  const rules = group.rules ?? usualRules;
  if (isOwn && !mayApproveOwn(actor, rules)) return false;
  return isListed(db, rules, project, actor.id);
}

const canApply = (actor: Actor, { state, project, environment }: Decidable): boolean =>
  state === 'Approved' && actor.may('APPLY_CHANGE_REQUEST', project, environment);

const sum = (groups: readonly Decidable[]) => groups.reduce((total, { count }) => total + count, 0);

async function reviewable(db: Db, actor: Actor, groups: readonly Decidable[]) {
  const found: Decidable[] = [];
  for (const group of groups) if (await canReview(db, actor, group)) found.push(group);
  return found;
}

const isOpenGroup = ({ state }: Decidable) => state !== 'Applied';

export async function countActionable(db: Db, actor: Actor, project: string) {
  const groups = await countDecidable(db, actor.id, project);
  const approvable = (await reviewable(db, actor, groups)).filter(isOpenGroup);
  return { total: sum(approvable) + sum(groups.filter((group) => canApply(actor, group))) };
}

export type WaitingFor = 'review' | 'apply' | 'emergency-review';

/**
 * What waits for someone: requests that they can approve, their own approved ones that they can apply, and emergencies
 * that they can review.
 */
async function listWaiting(
  db: Db,
  actor: Actor,
): Promise<Record<WaitingFor, readonly Decidable[]>> {
  const groups = (await countDecidable(db, actor.id, undefined)).filter(({ project }) =>
    sees(actor, project),
  );
  const own = await reviewable(db, actor, groups);
  return {
    review: own.filter(isOpenGroup),
    apply: groups.filter((group) => group.isOwn && canApply(actor, group)),
    'emergency-review': own.filter((group) => !isOpenGroup(group)),
  };
}

export async function countWaiting(db: Db, actor: Actor): Promise<Record<WaitingFor, number>> {
  const waiting = await listWaiting(db, actor);
  return {
    review: sum(waiting.review),
    apply: sum(waiting.apply),
    'emergency-review': sum(waiting['emergency-review']),
  };
}

type Search = Omit<RequestFilter, 'sees' | 'userId' | 'groups'> & {
  readonly waitingFor: WaitingFor | undefined;
  readonly limit: number;
  readonly offset: number;
};

export async function searchRequestsFor(
  db: Db,
  { actor, baseUrl }: Viewer,
  { limit, offset, waitingFor, ...filter }: Search,
) {
  const groups = waitingFor && (await listWaiting(db, actor))[waitingFor];
  const visible = { ...filter, groups, sees: actor.sees, userId: actor.id };
  const { total, requests } = await searchRequests(db, visible, { limit, offset });
  const ids = requests.map(({ id }) => id);
  const names = grouped(await listNames(db, ids), ({ requestId }) => requestId);
  const schedules = new Map(
    (await listSchedules(db, ids)).map((schedule) => [schedule.requestId, schedule]),
  );
  const emergencies = new Map(
    (await listEmergencies(db, ids)).map((emergency) => [emergency.requestId, emergency]),
  );
  const describe = (request: StoredRequest) => {
    const { id, environment, project, state } = request;
    const own = names.get(id) ?? [];
    const schedule = schedules.get(id);
    const emergency = emergencies.get(id);
    const features = [...new Set(own.flatMap(({ feature }) => feature ?? []))];
    const segments = [
      ...new Set(
        own.flatMap(({ segmentId, segment }) =>
          segmentId === null ? [] : (segment ?? String(segmentId)),
        ),
      ),
    ];
    return {
      id,
      title: titleOf(request, own.length, [...features, ...segments]),
      environment,
      project,
      createdBy: presentUser(baseUrl, request.createdByUserId, request.createdBy),
      createdAt: request.createdAt.toISOString(),
      features,
      segments,
      state,
      ...(state === 'Scheduled' && schedule && { schedule: presentSchedule(schedule) }),
      ...(emergency && { emergency: presentEmergency(baseUrl, emergency) }),
    };
  };
  return { changeRequests: requests.map(describe), total };
}
