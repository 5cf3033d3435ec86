import { explained } from '../../../../platform/db/constraint.ts';
import type { Actor, Db, Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation, nameExists, notFound } from '../../../../platform/errors.ts';
import { endSessions } from '../../gate/index.ts';
import { noRootRole } from '../../roles/index.ts';
import { deletePasswordLinksOf } from '../passwords/link-queries.ts';
import { isAdministrator, lockIndispensable } from './administrator-queries.ts';
import { keepAnAdministrator } from './indispensable.ts';
import {
  type AccountKind,
  deleteLoginNames,
  findLivingAccount,
  insertAccount,
  insertLoginNames,
  lockAccount,
  type NewAccount,
  type SeenAccount,
  type StoredAccount,
  updateAccount,
  updateErased,
  updateExternalSubject,
} from './queries.ts';

/** One spelling of what somebody signs in with: case and composed letters make no difference. */
export const loginNameOf = (text: string): string => text.normalize('NFC').toLowerCase();

const loginNamesOf = ({ username, email }: Pick<StoredAccount, 'username' | 'email'>): string[] => [
  ...new Set([username, email].flatMap((name) => (name ? [loginNameOf(name)] : []))),
];

const what = (kind: AccountKind) => (kind === 'person' ? 'user' : kind);

/** The words for what a race may bring: somebody else took it, or the role is gone. */
const refusals = (rootRole: number) => ({
  login_names_pkey: () =>
    nameExists('This user name or e-mail address belongs to somebody already'),
  users_external_subject_key: () => nameExists('This external account belongs to somebody already'),
  users_root_role_fkey: () => badData([noRootRole(rootRole, '/body/rootRole')]),
});

/** The id of the account that acts; an API token has nothing of its own. */
export function requireAccount(actor: Actor): number {
  if (actor.kind === 'person' || actor.kind === 'service account') return actor.id;
  throw invalidOperation('This is for people and service accounts: an API token is neither');
}

export async function getAccount(db: Db, id: number, kind: AccountKind): Promise<SeenAccount> {
  const account = await findLivingAccount(db, id);
  if (account?.kind !== kind) throw notFound(what(kind), id);
  return account;
}

/** As `getAccount`; nobody else changes the account until the end of the transaction. */
export async function holdAccount(tx: Tx, id: number, kind: AccountKind): Promise<StoredAccount> {
  const account = await lockAccount(tx, id);
  if (account?.kind !== kind) throw notFound(what(kind), id);
  return account;
}

type AccountWish = Pick<NewAccount, 'kind' | 'rootRole'> &
  Partial<Omit<NewAccount, 'kind' | 'rootRole'>>;

/** Creates an account; what happened is recorded by whoever knows what it means. */
export async function createAccount(tx: Tx, wish: AccountWish): Promise<StoredAccount> {
  const account: NewAccount = {
    kind: wish.kind,
    name: wish.name ?? '',
    username: wish.username ?? null,
    email: wish.email ?? null,
    rootRole: wish.rootRole,
    passwordHash: wish.passwordHash ?? null,
    externalSubject: wish.externalSubject ?? null,
  };
  const id = await explained(insertAccount(tx, account), refusals(wish.rootRole));
  const names = loginNamesOf(account);
  if (names.length > 0) {
    await explained(insertLoginNames(tx, id, names), refusals(wish.rootRole));
  }
  const { passwordHash, ...stored } = account;
  const passwordChangedAt = passwordHash === null ? null : tx.now;
  return { ...stored, id, passwordChangedAt, createdAt: tx.now };
}

export interface AccountChange {
  readonly name?: string | undefined;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly rootRole?: number | undefined;
}

/** Changes an account that is held. What is left out stays as it is. Records nothing. */
async function changeHeld(
  tx: Tx,
  before: StoredAccount,
  change: AccountChange,
): Promise<StoredAccount> {
  const after: StoredAccount = {
    ...before,
    name: change.name ?? before.name,
    username: change.username ?? before.username,
    email: change.email ?? before.email,
    rootRole: change.rootRole ?? before.rootRole,
  };
  const mayLoseAdministrator =
    before.kind === 'person' &&
    after.rootRole !== before.rootRole &&
    (await isAdministrator(tx.db, before.id));
  await explained(updateAccount(tx, before.id, after), refusals(after.rootRole));
  const names = loginNamesOf(after);
  if (names.join(' ') !== loginNamesOf(before).join(' ')) {
    await deleteLoginNames(tx, before.id);
    await explained(insertLoginNames(tx, before.id, names), refusals(after.rootRole));
  }
  // A link that was sent to another address is not for whoever reads that one.
  if (after.email !== before.email) await deletePasswordLinksOf(tx, before.id);
  if (mayLoseAdministrator) await keepAnAdministrator(tx);
  return after;
}

/** Changes an account, and says what it was and what it is. Records nothing. */
export async function changeAccount(
  tx: Tx,
  { id, kind }: { readonly id: number; readonly kind: AccountKind },
  change: AccountChange,
): Promise<{ before: StoredAccount; after: StoredAccount }> {
  if (change.rootRole !== undefined) await lockIndispensable(tx);
  const before = await holdAccount(tx, id, kind);
  return { before, after: await changeHeld(tx, before, change) };
}

/** Says whom a provider of log-ins means by a held account. Records nothing. */
export const linkExternal = (tx: Tx, { id, rootRole }: StoredAccount, subject: string | null) =>
  explained(updateExternalSubject(tx, id, subject), refusals(rootRole));

/** Takes out who an account is and what it signs in with; its row stays. */
async function eraseAccount(tx: Tx, id: number): Promise<void> {
  await updateErased(tx, id);
  await deleteLoginNames(tx, id);
  await deletePasswordLinksOf(tx, id);
  await endSessions(tx, id);
}

/** Removes an account, unless it is indispensable, and says what it was. Records nothing. */
export async function removeAccount(
  tx: Tx,
  { id, kind }: { readonly id: number; readonly kind: AccountKind },
): Promise<StoredAccount> {
  await lockIndispensable(tx);
  const account = await holdAccount(tx, id, kind);
  await eraseDispensable(tx, account);
  return account;
}

async function eraseDispensable(tx: Tx, { id, kind }: StoredAccount): Promise<void> {
  const wasAdministrator = kind === 'person' && (await isAdministrator(tx.db, id));
  await eraseAccount(tx, id);
  if (wasAdministrator) await keepAnAdministrator(tx);
}

/** Erases an account for good: one that lives only where it is dispensable, one that was deleted anyway. */
export async function forgetAccount(tx: Tx, id: number): Promise<void> {
  await lockIndispensable(tx);
  const living = await lockAccount(tx, id);
  if (living) await eraseDispensable(tx, living);
  else await eraseAccount(tx, id);
}
