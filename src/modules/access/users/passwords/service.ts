import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, type Fault } from '../../../../platform/errors.ts';
import { defineHook } from '../../../../platform/hooks.ts';
import { hashSecret, newSecret } from '../../../../platform/secret.ts';
import { record } from '../../../events/index.ts';
import { endSessions } from '../../gate/index.ts';
import { findActiveAccount, type StoredAccount, updatePassword } from '../accounts/queries.ts';
import { getAccountForUpdate } from '../accounts/service.ts';
import { userDataOf, userUpdated } from '../events.ts';
import { type HashedPassword, hashPassword } from './hash.ts';
import {
  deletePasswordLink,
  deletePasswordLinksOf,
  findValidLink,
  insertPasswordLink,
  type LinkPurpose,
} from './link-queries.ts';
import { type PersonNames, passwordFaults } from './policy.ts';

/** A password was reset by a link or by an administrator. Other credentials of the account end, too. */
export const passwordReset = defineHook<{
  readonly id: number;
  readonly username?: string | null;
}>('passwordReset', 'lowest first');

/** Throws the faults of the password, together with other faults of the request. */
export async function checkAndHashPassword(
  password: string,
  person: PersonNames,
  path = '/body/password',
  beside: readonly Fault[] = [],
): Promise<HashedPassword> {
  const faults = [...beside, ...passwordFaults(password, person, path)];
  if (faults.length > 0) throw badData(faults);
  return hashPassword(password);
}

/**
 * Ends everything that someone who knew the former password may have started: all links, and all sessions except the
 * actor's own.
 */
export const setPassword = (tx: Tx, userId: number, { hash }: HashedPassword): Promise<void> =>
  replacePassword(tx, userId, hash);

/** From now on the person signs in with OpenID Connect or sets a password by a link. */
export const removePassword = (tx: Tx, userId: number): Promise<void> =>
  replacePassword(tx, userId, null);

async function replacePassword(tx: Tx, userId: number, hash: string | null): Promise<void> {
  const person = await getAccountForUpdate(tx, userId, 'person');
  await updatePassword(tx, userId, hash);
  await deletePasswordLinksOf(tx, userId);
  await endSessions(tx, userId, tx.actor.id === userId ? tx.actor.session : undefined);
  const facts = userDataOf(person);
  record(
    tx,
    userUpdated({
      data: { ...facts, passwordChangedAt: tx.now },
      preData: { ...facts, passwordChangedAt: person.passwordChangedAt },
    }),
  );
}

const hourMs = 3_600_000;

/** How long a link is valid. An invitation may stay in a mailbox over a holiday. */
const validForMs: Readonly<Record<LinkPurpose, number>> = {
  invitation: 7 * 24 * hourMs,
  reset: 24 * hourMs,
};

export interface PasswordLink {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Creates a link to set a password. Does not record an event, because people may request one themselves. */
export async function createPasswordLink(
  tx: Tx,
  userId: number,
  purpose: LinkPurpose,
): Promise<PasswordLink> {
  const secret = newSecret();
  const expiresAt = new Date(tx.now.getTime() + validForMs[purpose]);
  await insertPasswordLink(tx, { secretHash: hashSecret(secret), userId, purpose, expiresAt });
  return { secret, expiresAt };
}

interface PasswordLinkDetails {
  readonly person: StoredAccount;
  readonly purpose: LinkPurpose;
  readonly expiresAt: Date;
  /** Null if the creator was erased, or if an earlier version did not store it. */
  readonly createdBy: string | null;
}

/** Undefined if the link is unknown, used or expired. */
export async function findPasswordLink(
  db: Db,
  secret: string,
  now: Date,
): Promise<PasswordLinkDetails | undefined> {
  const link = await findValidLink(db, hashSecret(secret), now);
  if (!link) return undefined;
  const person = await findActiveAccount(db, link.userId);
  const { purpose, expiresAt, createdBy } = link;
  return person && { person, purpose, expiresAt, createdBy };
}

/** Uses up a link and returns its person. Of several concurrent requests only one gets it. */
export async function takePasswordLink(tx: Tx, secret: string): Promise<StoredAccount | undefined> {
  const link = await deletePasswordLink(tx, hashSecret(secret));
  if (!link || link.expiresAt <= tx.now) return undefined;
  return getAccountForUpdate(tx, link.userId, 'person');
}
