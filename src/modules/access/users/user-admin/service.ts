import { isDeepStrictEqual } from 'node:util';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation, notFound } from '../../../../platform/errors.ts';
import { pathId } from '../../../../platform/http/path-id.ts';
import { record } from '../../../events/index.ts';
import { findPersonByLogin, type SeenAccount, type StoredAccount } from '../accounts/queries.ts';
import {
  type AccountChange,
  changeAccount,
  createAccount,
  getAccount,
  holdAccount,
  linkExternal,
  loginNameOf,
  removeAccount,
} from '../accounts/service.ts';
import { factsOf, userCreated, userDeleted, userUpdated } from '../events.ts';
import type { HashedPassword } from '../passwords/hash.ts';
import { createPasswordLink, hashGoodPassword, type PasswordLink } from '../passwords/service.ts';
import { type Identity, newPersonFaults } from './sign-in-names.ts';

export interface NewPerson extends Identity {
  /** As somebody typed it, or checked and hashed before the transaction. */
  readonly password?: string | HashedPassword | undefined;
  readonly rootRole: number;
  /** Who this is for a provider of log-ins. */
  readonly externalSubject?: string | undefined;
}

/** Creates a person. `source` tells how they came here, where no administrator created them. */
export async function createPerson(
  tx: Tx,
  wish: NewPerson,
  { source }: { readonly source?: string } = {},
): Promise<StoredAccount> {
  const faults = newPersonFaults(wish);
  const { password } = wish;
  const hashed =
    typeof password === 'string'
      ? await hashGoodPassword(password, wish, '/body/password', faults)
      : password;
  if (faults.length > 0) throw badData(faults);
  const person = await createAccount(tx, {
    kind: 'person',
    name: wish.name ?? '',
    username: wish.username ?? null,
    email: wish.email ?? null,
    rootRole: wish.rootRole,
    passwordHash: hashed?.hash ?? null,
    externalSubject: wish.externalSubject ?? null,
  });
  record(
    tx,
    userCreated({ data: { ...factsOf(person), ...(source !== undefined && { source }) } }),
  );
  return person;
}

export const getPerson = (db: Db, id: number): Promise<SeenAccount> => getAccount(db, id, 'person');

/** The person who signs in under this name or address. */
export const findPersonForSignIn = (db: Db, login: string) =>
  findPersonByLogin(db, loginNameOf(login));

/** The id of whom a request names by id or by what they sign in with; digits alone are an id. */
export async function idOfPerson(db: Db, idOrLogin: number | string): Promise<number> {
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
    record(tx, userUpdated({ data: factsOf(after), preData: factsOf(before) }));
  }
  return after;
}

export async function removePerson(tx: Tx, id: number): Promise<void> {
  if (id === tx.actor.id) throw invalidOperation('Nobody can delete themself');
  const person = await removeAccount(tx, { id, kind: 'person' });
  record(tx, userDeleted({ preData: factsOf(person) }));
}

/** Says whom a provider of log-ins means by this person; null: it no longer knows them. */
export async function setExternalSubject(
  tx: Tx,
  userId: number,
  externalSubject: string | null,
): Promise<void> {
  const person = await holdAccount(tx, userId, 'person');
  await linkExternal(tx, person, externalSubject);
  const facts = factsOf(person);
  record(
    tx,
    userUpdated({
      data: { ...facts, externalSubject },
      preData: { ...facts, externalSubject: person.externalSubject },
    }),
  );
}

/** Makes a link for somebody who cannot sign in; that an administrator did so stands in the log. */
export async function offerReset(
  tx: Tx,
  userId: number,
): Promise<{ person: StoredAccount; link: PasswordLink }> {
  const person = await holdAccount(tx, userId, 'person');
  const link = await createPasswordLink(tx, userId, 'reset');
  const facts = factsOf(person);
  // Beside the links that were there: each is good until one of them is used.
  record(
    tx,
    userUpdated({ data: { ...facts, resetLinkExpiresAt: link.expiresAt }, preData: facts }),
  );
  return { person, link };
}

/** Creates a person who, without a password, sets one by the link that comes with them. */
export async function invitePerson(
  tx: Tx,
  wish: NewPerson,
): Promise<{ person: StoredAccount; link: PasswordLink | undefined }> {
  const person = await createPerson(tx, wish);
  const link =
    wish.password === undefined ? await createPasswordLink(tx, person.id, 'invitation') : undefined;
  return { person, link };
}
