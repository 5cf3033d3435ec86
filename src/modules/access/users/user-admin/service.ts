import { isDeepStrictEqual } from 'node:util';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation, notFound } from '../../../../platform/errors.ts';
import { defineHook, type RunHook } from '../../../../platform/hooks.ts';
import { pathId } from '../../../../platform/http/path-id.ts';
import { record } from '../../../events/index.ts';
import {
  type AccountWithLastSeen,
  findPersonByLogin,
  type StoredAccount,
} from '../accounts/queries.ts';
import {
  type AccountChange,
  changeAccount,
  createAccount,
  getAccount,
  getAccountForUpdate,
  linkExternalSubject,
  loginNameOf,
  removeAccount,
} from '../accounts/service.ts';
import { userCreated, userDataOf, userDeleted, userUpdated } from '../events.ts';
import type { HashedPassword } from '../passwords/hash.ts';
import {
  checkAndHashPassword,
  createPasswordLink,
  type PasswordLink,
} from '../passwords/service.ts';
import { newPersonFaults, type PersonIdentity } from './sign-in-names.ts';

export interface NewPerson extends PersonIdentity {
  /** Plain text, or checked and hashed before the transaction. */
  readonly password?: string | HashedPassword | undefined;
  readonly rootRole: number;
  /** An id that was reserved for the account. */
  readonly id?: number;
  /** The person's account at the OpenID Connect provider. */
  readonly externalSubject?: string | undefined;
}

/** `source` is how the person was created, if not by an administrator. */
export async function createPerson(
  tx: Tx,
  input: NewPerson,
  { source }: { readonly source?: string } = {},
): Promise<StoredAccount> {
  const faults = newPersonFaults(input);
  const { password } = input;
  const hashed =
    typeof password === 'string'
      ? await checkAndHashPassword(password, input, '/body/password', faults)
      : password;
  if (faults.length > 0) throw badData(faults);
  const person = await createAccount(tx, {
    ...(input.id !== undefined && { id: input.id }),
    kind: 'person',
    name: input.name ?? '',
    username: input.username ?? null,
    email: input.email ?? null,
    rootRole: input.rootRole,
    passwordHash: hashed?.hash ?? null,
    externalSubject: input.externalSubject ?? null,
  });
  record(
    tx,
    userCreated({ data: { ...userDataOf(person), ...(source !== undefined && { source }) } }),
  );
  return person;
}

export const getPerson = (db: Db, id: number): Promise<AccountWithLastSeen> =>
  getAccount(db, id, 'person');

/** Finds a person by user name or e-mail address. */
export const findPersonForSignIn = (db: Db, login: string) =>
  findPersonByLogin(db, loginNameOf(login));

/** The id of a person given by id or login name. Digits alone are an id. */
export async function getPersonId(db: Db, idOrLogin: number | string): Promise<number> {
  if (typeof idOrLogin === 'number') return idOrLogin;
  if (/^\d+$/.test(idOrLogin)) return pathId('user', idOrLogin);
  const person = await findPersonForSignIn(db, idOrLogin);
  if (!person) throw notFound('user', idOrLogin);
  return person.id;
}

export async function changePerson(
  tx: Tx,
  id: number,
  change: Pick<AccountChange, 'name' | 'email' | 'rootRole'>,
): Promise<StoredAccount> {
  const { before, after } = await changeAccount(tx, { id, kind: 'person' }, change);
  if (!isDeepStrictEqual(before, after)) {
    record(tx, userUpdated({ data: userDataOf(after), preData: userDataOf(before) }));
  }
  return after;
}

/** A user is deleted. Higher modules release what the user owns. */
export const deletingUser = defineHook<{ readonly id: number }>('deletingUser', 'highest first');

export async function removePerson(tx: Tx, id: number, runHook: RunHook): Promise<void> {
  if (id === tx.actor.id) throw invalidOperation("You can't delete your own account");
  const person = await removeAccount(tx, { id, kind: 'person' });
  await runHook(deletingUser, tx, { id });
  record(tx, userDeleted({ preData: userDataOf(person) }));
}

/** Links a person to an account of the OpenID Connect provider. Null removes the link. */
export async function setExternalSubject(
  tx: Tx,
  userId: number,
  externalSubject: string | null,
): Promise<void> {
  const person = await getAccountForUpdate(tx, userId, 'person');
  await linkExternalSubject(tx, person, externalSubject);
  const facts = userDataOf(person);
  record(
    tx,
    userUpdated({
      data: { ...facts, externalSubject },
      preData: { ...facts, externalSubject: person.externalSubject },
    }),
  );
}

/** Records that someone else ended sessions of the person. */
export function recordEndedSessions(tx: Tx, person: StoredAccount, endedSessions: number): void {
  if (endedSessions === 0 || person.id === tx.actor.id) return;
  const facts = userDataOf(person);
  record(tx, userUpdated({ data: { ...facts, endedSessions }, preData: facts }));
}

/** Creates a link for a person who cannot sign in. The log records that an administrator did so. */
export async function createResetLink(
  tx: Tx,
  userId: number,
): Promise<{ person: StoredAccount; link: PasswordLink }> {
  const person = await getAccountForUpdate(tx, userId, 'person');
  const link = await createPasswordLink(tx, userId, 'reset');
  const facts = userDataOf(person);
  // Earlier links stay valid until one of them is used.
  record(
    tx,
    userUpdated({ data: { ...facts, resetLinkExpiresAt: link.expiresAt }, preData: facts }),
  );
  return { person, link };
}

/** Creates a person. Without a password they set one with the returned link. */
export async function invitePerson(
  tx: Tx,
  input: NewPerson,
): Promise<{ person: StoredAccount; link: PasswordLink | undefined }> {
  const person = await createPerson(tx, input);
  const link =
    input.password === undefined
      ? await createPasswordLink(tx, person.id, 'invitation')
      : undefined;
  return { person, link };
}
