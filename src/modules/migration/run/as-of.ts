import type { Tx } from '../../../platform/db/database.ts';
import { systemActor } from '../../access/gate/index.ts';
import type { Creator } from '../../flags/features/index.ts';
import type { CreatorDocument } from '../document.ts';
import { pastInstant } from '../feature-changes.ts';
import { findAccountId } from '../queries.ts';

/** The account that created something. Someone without one keeps the name. */
export async function creatorIn(
  { db }: Pick<Tx, 'db'>,
  { name, account }: CreatorDocument,
): Promise<Creator> {
  const id = account === undefined ? undefined : await findAccountId(db, account);
  return { id: id ?? systemActor.id, name };
}

/**
 * The transaction as it would have been when something was created in the source: services store its time and its actor
 * with what they create. Events that they record with it are dropped, because the import records its own.
 */
export async function asOf(
  tx: Tx,
  creation: {
    readonly createdAt?: string | null | undefined;
    readonly createdBy?: CreatorDocument;
  },
): Promise<Tx> {
  const { createdAt, createdBy } = creation;
  return {
    ...tx,
    now: pastInstant(createdAt, tx.now) ?? tx.now,
    actor: createdBy ? { ...tx.actor, ...(await creatorIn(tx, createdBy)) } : tx.actor,
  };
}
