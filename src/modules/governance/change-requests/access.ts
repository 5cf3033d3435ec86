import type { Actor } from '../../../platform/actor.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { noAccess, notFound } from '../../../platform/errors.ts';
import { pathId } from '../../../platform/http/path-id.ts';
import { findRequest, lockRequest, type StoredRequest } from './queries.ts';

const what = 'change request';

/** A request in the path of a project. */
export interface RequestAddress {
  readonly project: string;
  readonly id: string;
}

export const requestAddressOf = (params: { readonly projectId: string; readonly id: string }) => ({
  project: params.projectId,
  id: params.id,
});

const isAuthor = (actor: Pick<Actor, 'id'>, request: StoredRequest): boolean =>
  actor.id === request.createdByUserId;

/** The author, and everyone who edited the request. */
export const isContributor = (actor: Pick<Actor, 'id'>, request: StoredRequest): boolean =>
  isAuthor(actor, request) || request.contributors.includes(actor.id);

/** Others see a draft when it is sent to review. The gate has checked the project. */
export const isVisible = (actor: Actor, request: StoredRequest): boolean =>
  request.state !== 'Draft' || isAuthor(actor, request);

function visible(
  actor: Actor,
  { project, id }: RequestAddress,
  found: StoredRequest | undefined,
): StoredRequest {
  if (found?.project !== project || !isVisible(actor, found)) throw notFound(what, id);
  return found;
}

export const getRequest = async (
  db: Db,
  actor: Actor,
  address: RequestAddress,
): Promise<StoredRequest> =>
  visible(actor, address, await findRequest(db, pathId(what, address.id)));

export const lockVisibleRequest = async (tx: Tx, address: RequestAddress): Promise<StoredRequest> =>
  visible(tx.actor, address, await lockRequest(tx, pathId(what, address.id)));

/** Authors change their own requests, administrators those of everyone. */
export function demandAuthor(actor: Actor, request: StoredRequest): void {
  if (!isAuthor(actor, request) && !actor.may('ADMIN')) throw noAccess('ADMIN');
}
