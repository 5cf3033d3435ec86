import { sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { AppError, badData } from '../../../../platform/errors.ts';
import { withoutRecording } from '../../../events/index.ts';
import { lockFeatures, relocated } from '../../../flags/features/index.ts';
import type { PlannedChange } from './actions.ts';

/** Locks everything that the changes lock, in the order of the names, so that none of them waits for another. */
export async function lockAll(tx: Tx, changes: readonly PlannedChange[]): Promise<void> {
  const names = changes.flatMap(({ feature, alsoLocks }) => [
    ...(feature === null ? [] : [feature]),
    ...alsoLocks,
  ]);
  if (names.length > 0) await lockFeatures(tx, [...new Set(names)]);
}

/** Adds to a refusal which change it is about. */
export function refusalOf(error: AppError, change: PlannedChange, at: string): AppError {
  const details = error.details.map((fault) => relocated(fault, change.bodyPath, at));
  if (error.name === 'BadDataError') return badData(details);
  const of = change.feature === null ? '' : ` of '${change.feature}'`;
  const message = `${change.action}${of}: ${error.message}`;
  return new AppError(error.status, error.name, message, { details, more: error.more });
}

/**
 * Makes the changes as if they were approved and undoes them, so that every rule of the operations is checked when a
 * change is proposed. Returns the refusal of each change; one that depends on a refused one is usually refused too.
 */
export async function tryChanges(
  tx: Tx,
  project: string,
  changes: readonly PlannedChange[],
): Promise<(AppError | undefined)[]> {
  const approved: Actor = { ...tx.actor, may: () => true };
  const trial = withoutRecording(tx, approved);
  const refusals: (AppError | undefined)[] = [];
  await sql`savepoint trial`.execute(tx.db);
  await lockAll(trial, changes);
  for (const { run } of changes) {
    await sql`savepoint change`.execute(tx.db);
    try {
      await run(trial, project);
      refusals.push(undefined);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      await sql`rollback to savepoint change`.execute(tx.db);
      refusals.push(error);
    }
  }
  await sql`rollback to savepoint trial`.execute(tx.db);
  return refusals;
}
