import type { Actor } from '../../../../platform/actor.ts';
import { explained } from '../../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation, nameExists, notFound } from '../../../../platform/errors.ts';
import { endSessions } from '../../gate/index.ts';
import { noRootRole } from '../../roles/index.ts';
import { deletePasswordLinksOf } from '../passwords/link-queries.ts';
import { isAdministrator, lockAdminAndOwnerRoles } from './administrator-queries.ts';
import { requireAdministrator } from './last-administrator.ts';
import {
  type AccountKind,
  type AccountWithLastSeen,
  deleteLoginNames,
  findActiveAccount,
  insertAccount,
  insertLoginNames,
  lockAccount,
  type NewAccount,
  type StoredAccount,
  updateAccount,
  updateErased,
  updateExternalSubject,
} from './queries.ts';

/** Normalises login names. Case and Unicode composition make no difference. */
export const loginNameOf = (text: string): string => text.normalize('NFC').toLowerCase();

const loginNamesOf = ({ username, email }: Pick<StoredAccount, 'username' | 'email'>): string[] => [
  ...new Set([username, email].flatMap((name) => (name ? [loginNameOf(name)] : []))),
];

const what = (kind: AccountKind) => (kind === 'person' ? 'user' : kind);

/** Errors for constraints that a concurrent change can violate: a name was taken, or the role was deleted. */
const refusals = (rootRole: number) => ({
  login_names_pkey: () => nameExists('This username or email address is already in use'),
  users_external_subject_key: () => nameExists('This external account is already in use'),
  users_root_role_fkey: () => badData([noRootRole(rootRole, '/body/rootRole')]),
});

/** The id of the acting account. API tokens have no account. */
export function requireAccount(actor: Actor): number {
  if (actor.kind === 'person' || actor.kind === 'service account') return actor.id;
  throw invalidOperation('Only users and service accounts can do this, not API tokens');
}

export async function getAccount(
  db: Db,
  id: number,
  kind: AccountKind,
): Promise<AccountWithLastSeen> {
  const account = await findActiveAccount(db, id);
  if (account?.kind !== kind) throw notFound(what(kind), id);
  return account;
}

/** Locks the account until the end of the transaction. */
export async function getAccountForUpdate(
  tx: Tx,
  id: number,
  kind: AccountKind,
): Promise<StoredAccount> {
  const account = await lockAccount(tx, id);
  if (account?.kind !== kind) throw notFound(what(kind), id);
  return account;
}

type AccountInput = Pick<NewAccount, 'kind' | 'rootRole'> &
  Partial<Omit<NewAccount, 'kind' | 'rootRole'>>;

/** Does not record an event. The caller knows which one. */
export async function createAccount(tx: Tx, input: AccountInput): Promise<StoredAccount> {
  const account: NewAccount = {
    ...(input.id !== undefined && { id: input.id }),
    kind: input.kind,
    name: input.name ?? '',
    username: input.username ?? null,
    email: input.email ?? null,
    rootRole: input.rootRole,
    passwordHash: input.passwordHash ?? null,
    externalSubject: input.externalSubject ?? null,
  };
  const id = await explained(insertAccount(tx, account), refusals(input.rootRole));
  const names = loginNamesOf(account);
  if (names.length > 0) {
    await explained(insertLoginNames(tx, id, names), refusals(input.rootRole));
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

/** Leaves absent fields unchanged. Does not record an event. */
async function changeLockedAccount(
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
  // A link that was sent to the former address must not work for its reader.
  if (after.email !== before.email) await deletePasswordLinksOf(tx, before.id);
  if (mayLoseAdministrator) await requireAdministrator(tx);
  return after;
}

/** Returns the account before and after the change. Does not record an event. */
export async function changeAccount(
  tx: Tx,
  { id, kind }: { readonly id: number; readonly kind: AccountKind },
  change: AccountChange,
): Promise<{ before: StoredAccount; after: StoredAccount }> {
  if (change.rootRole !== undefined) await lockAdminAndOwnerRoles(tx);
  const before = await getAccountForUpdate(tx, id, kind);
  return { before, after: await changeLockedAccount(tx, before, change) };
}

/** Links a locked account to an account of the OpenID Connect provider. Does not record an event. */
export const linkExternalSubject = (
  tx: Tx,
  { id, rootRole }: StoredAccount,
  subject: string | null,
) => explained(updateExternalSubject(tx, id, subject), refusals(rootRole));

/** Removes personal data and everything to sign in with. The row stays. */
async function eraseAccount(tx: Tx, id: number): Promise<void> {
  await updateErased(tx, id);
  await deleteLoginNames(tx, id);
  await deletePasswordLinksOf(tx, id);
  await endSessions(tx, id);
}

/** Removes an account and returns it, unless it is the last administrator. Does not record an event. */
export async function removeAccount(
  tx: Tx,
  { id, kind }: { readonly id: number; readonly kind: AccountKind },
): Promise<StoredAccount> {
  await lockAdminAndOwnerRoles(tx);
  const account = await getAccountForUpdate(tx, id, kind);
  await eraseIfReplaceable(tx, account);
  return account;
}

async function eraseIfReplaceable(tx: Tx, { id, kind }: StoredAccount): Promise<void> {
  const wasAdministrator = kind === 'person' && (await isAdministrator(tx.db, id));
  await eraseAccount(tx, id);
  if (wasAdministrator) await requireAdministrator(tx);
}

/** Erases an account for good, unless it is the last administrator. A deleted account is erased in any case. */
export async function forgetAccount(tx: Tx, id: number): Promise<void> {
  await lockAdminAndOwnerRoles(tx);
  const active = await lockAccount(tx, id);
  if (active) await eraseIfReplaceable(tx, active);
  else await eraseAccount(tx, id);
}
