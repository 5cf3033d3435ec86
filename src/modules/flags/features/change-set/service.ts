import type { Tx } from '../../../../platform/db/database.ts';
import {
  AppError,
  badData,
  conflict,
  type Fault,
  noAccessToAll,
  notFound,
} from '../../../../platform/errors.ts';
import { joinAnd } from '../../../../platform/joined.ts';
import { refuseLargeTransaction } from '../../../../platform/volume.ts';
import {
  commentEvents,
  describeRecorded,
  listEventsSince,
  measureRecorded,
} from '../../../events/index.ts';
import { lockFeatures } from '../lock.ts';
import { type ReadyChange, relocated } from './actions.ts';

interface Address {
  readonly project: string;
  readonly feature: string;
}

interface ChangeSet {
  readonly changes: readonly ReadyChange[];
  readonly comment: string | undefined;
  /** The last event of the feature that the author of the changes had seen. */
  readonly lastEventId: number | undefined;
}

/** Makes all changes or none. Returns the events that it records. */
export async function saveChanges(
  tx: Tx,
  address: Address,
  { changes, comment, lastEventId }: ChangeSet,
) {
  demandAll(tx, address.project, changes);
  await lock(tx, address, changes);
  if (lastEventId !== undefined) await refuseOutdated(tx, address.feature, lastEventId);
  const trimmed = comment?.trim();
  if (trimmed) commentEvents(tx, trimmed);
  let recorded = { events: 0, characters: 0 };
  for (const [index, change] of changes.entries()) {
    await make(tx, address, change, index);
    recorded = measureRecorded(tx, recorded);
    refuseLargeTransaction(recorded.characters);
  }
  return describeRecorded(tx);
}

const placeOf = (index: number) => `/body/changes/${index}`;

/** The same message as that of the endpoint for the single change. */
function demandAll(tx: Tx, project: string, changes: readonly ReadyChange[]): void {
  const faults = changes.flatMap(({ permission, environment }, index): Fault[] => {
    const names = typeof permission === 'string' ? [permission] : permission;
    if (names.some((name) => tx.actor.may(name, project, environment))) return [];
    const where = environment === undefined ? '' : ` in the environment '${environment}'`;
    const message = `You need the ${names.join(' or ')} permission${where} to do this`;
    return [{ path: placeOf(index), message }];
  });
  if (faults.length > 0) throw noAccessToAll(faults);
}

/** Features are locked in the order of their names, so those of later changes are locked now. */
async function lock(
  tx: Tx,
  { project, feature: name }: Address,
  changes: readonly ReadyChange[],
): Promise<void> {
  const parents = changes.flatMap(({ parent }) => (parent === undefined ? [] : [parent]));
  const locked = await lockFeatures(tx, [...new Set([name, ...parents])]);
  const feature = locked.find((each) => each.name === name);
  if (feature?.project !== project || feature.archivedAt) throw notFound('feature', name);
}

/** Types of events that never conflict with an edit: favourites, completion, age, and proposals. */
const unrelatedTypes = [
  'feature-favorited',
  'feature-unfavorited',
  'feature-completed',
  'feature-uncompleted',
  'feature-potentially-stale-on',
  'change-added',
  'change-edited',
  'change-discarded',
] as const;

const maxListed = 20;

/** The feature is locked, so that nothing can happen between this and the changes. */
async function refuseOutdated(tx: Tx, feature: string, lastEventId: number): Promise<void> {
  const options = { sees: tx.actor.sees, without: unrelatedTypes, limit: maxListed };
  const { count, events } = await listEventsSince(tx.db, feature, lastEventId, options);
  if (count === 0) return;
  const names = [...new Set(events.map(({ createdBy }) => createdBy))];
  const who = names.length === 0 ? 'Someone else' : joinAnd(names, 3);
  const times = count === 1 ? 'once' : `${count} times`;
  throw conflict(`${who} changed '${feature}' ${times} since you opened it`, {
    changes: events,
  });
}

/** Adds to a refusal which change it is about. */
async function make(tx: Tx, address: Address, change: ReadyChange, index: number): Promise<void> {
  try {
    await change.run(tx, address);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const at = placeOf(index);
    const details = error.details.map((fault) => relocated(fault, change.bodyPath, at));
    if (error.name === 'BadDataError') throw badData(details);
    const where = change.environment === undefined ? '' : ` in ${change.environment}`;
    const message = `Change ${index + 1} (${change.action}${where}): ${error.message}`;
    throw new AppError(error.status, error.name, message, { details });
  }
}
