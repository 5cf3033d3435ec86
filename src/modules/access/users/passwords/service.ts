import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, type Fault } from '../../../../platform/errors.ts';
import { defineHook } from '../../../../platform/hooks.ts';
import { hashSecret, newSecret } from '../../../../platform/secret.ts';
import { record } from '../../../events/index.ts';
import { endSessions } from '../../gate/index.ts';
import { findLivingAccount, type StoredAccount, updatePassword } from '../accounts/queries.ts';
import { holdAccount } from '../accounts/service.ts';
import { factsOf, userUpdated } from '../events.ts';
import { type HashedPassword, hashPassword } from './hash.ts';
import {
  deletePasswordLink,
  deletePasswordLinksOf,
  findLivingLink,
  insertPasswordLink,
  type LinkPurpose,
} from './link-queries.ts';
import { type Guessable, passwordFaults } from './policy.ts';

/** Somebody's password was reset, by a link or by an administrator: what else opens the account ends too. */
export const passwordReset = defineHook<{
  readonly id: number;
  readonly username?: string | null;
}>('passwordReset', 'lowest first');

/** Throws what is wrong with a new password, together with faults that were found beside it. */
export async function hashGoodPassword(
  password: string,
  person: Guessable,
  path = '/body/password',
  beside: readonly Fault[] = [],
): Promise<HashedPassword> {
  const faults = [...beside, ...passwordFaults(password, person, path)];
  if (faults.length > 0) throw badData(faults);
  return hashPassword(password);
}

/**
 * Sets the password of a person. It ends what somebody who knew the former one may have begun: all
 * links, and all sessions but the one in which this is asked for.
 */
export const setPassword = (tx: Tx, userId: number, { hash }: HashedPassword): Promise<void> =>
  replacePassword(tx, userId, hash);

/** From now on the person comes in another way, or by a link. */
export const removePassword = (tx: Tx, userId: number): Promise<void> =>
  replacePassword(tx, userId, null);

async function replacePassword(tx: Tx, userId: number, hash: string | null): Promise<void> {
  const person = await holdAccount(tx, userId, 'person');
  await updatePassword(tx, userId, hash);
  await deletePasswordLinksOf(tx, userId);
  await endSessions(tx, userId, tx.actor.id === userId ? tx.actor.session : undefined);
  const facts = factsOf(person);
  record(
    tx,
    userUpdated({
      data: { ...facts, passwordChangedAt: tx.now },
      preData: { ...facts, passwordChangedAt: person.passwordChangedAt },
    }),
  );
}

const hourMs = 3_600_000;

/** How long a link is good. An invitation may lie in a mailbox over a holiday. */
const goodForMs: Readonly<Record<LinkPurpose, number>> = {
  invitation: 7 * 24 * hourMs,
  reset: 24 * hourMs,
};

export interface PasswordLink {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Makes a link by which a person sets a password. Records nothing: anybody may ask for their own. */
export async function createPasswordLink(
  tx: Tx,
  userId: number,
  purpose: LinkPurpose,
): Promise<PasswordLink> {
  const secret = newSecret();
  const expiresAt = new Date(tx.now.getTime() + goodForMs[purpose]);
  await insertPasswordLink(tx, { secretHash: hashSecret(secret), userId, purpose, expiresAt });
  return { secret, expiresAt };
}

interface FoundLink {
  readonly person: StoredAccount;
  readonly purpose: LinkPurpose;
  readonly expiresAt: Date;
  /** Null: somebody who was erased, or an earlier version did not note it. */
  readonly createdBy: string | null;
}

/** Whose link this is, and for what; undefined when it is unknown, used or over. */
export async function findPasswordLink(
  db: Db,
  secret: string,
  now: Date,
): Promise<FoundLink | undefined> {
  const link = await findLivingLink(db, hashSecret(secret), now);
  if (!link) return undefined;
  const person = await findLivingAccount(db, link.userId);
  const { purpose, expiresAt, createdBy } = link;
  return person && { person, purpose, expiresAt, createdBy };
}

/** Uses a link up, and says whose it was; of several who come with it at once, one is told. */
export async function takePasswordLink(tx: Tx, secret: string): Promise<StoredAccount | undefined> {
  const link = await deletePasswordLink(tx, hashSecret(secret));
  if (!link || link.expiresAt <= tx.now) return undefined;
  return holdAccount(tx, link.userId, 'person');
}
