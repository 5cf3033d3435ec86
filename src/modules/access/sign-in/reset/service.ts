import type { Db, Tx } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { findAccount } from '../../gate/index.ts';
import {
  checkAndHashPassword,
  createPasswordLink,
  findPasswordLink,
  findPersonForSignIn,
  type HashedPassword,
  loginNameOf,
  resetMail,
  resetUrl,
  setPassword,
  takePasswordLink,
} from '../../users/index.ts';
import { countAndCheckLimit } from '../attempts/service.ts';
import { counterOf, rules } from '../attempts/throttle.ts';
import { findRoleOf } from '../people-queries.ts';

/** Undefined if no one has this address, or if the limit of mails is reached. */
export async function prepareResetMail(tx: Tx, address: string, baseUrl: string) {
  const person = await findPersonForSignIn(tx.db, address);
  // A user name may look like the address of someone else.
  if (!person?.email || loginNameOf(person.email) !== loginNameOf(address)) return undefined;
  const mailbox = counterOf(rules.resetPerMailbox, String(person.id), tx.now);
  if (await countAndCheckLimit(tx, mailbox)) return undefined;
  const { secret } = await createPasswordLink(tx, person.id, 'reset');
  return resetMail({ to: person.email, url: resetUrl(baseUrl, secret) }, person.name);
}

/** The response does not repeat the secret. */
const unknownLink = () => notFound('password link', '*****');

async function getLink(db: Db, secret: string, now: Date) {
  const link = await findPasswordLink(db, secret, now);
  if (!link) throw unknownLink();
  return link;
}

export async function describeLink(db: Db, secret: string, now: Date) {
  const { person, createdBy } = await getLink(db, secret, now);
  const { id, name, email, username, rootRole } = person;
  return {
    id,
    rootRole,
    token: secret,
    createdBy,
    email,
    ...(name && { name }),
    ...(username && { username }),
    role: await findRoleOf(db, id),
  };
}

/** The person of the link, the actor for the change, and the password, hashed before the transaction. */
export async function prepareNewPassword(
  db: Db,
  { token, password }: { readonly token: string; readonly password: string },
  now: Date,
) {
  const { person } = await getLink(db, token, now);
  const account = await findAccount(db, person.id);
  if (!account) throw unknownLink();
  return { account, password: await checkAndHashPassword(password, person) };
}

/** Throws if the link was used in the meantime. */
export async function setPasswordByLink(
  tx: Tx,
  secret: string,
  password: HashedPassword,
): Promise<void> {
  const person = await takePasswordLink(tx, secret);
  if (!person) throw unknownLink();
  await setPassword(tx, person.id, password);
}
