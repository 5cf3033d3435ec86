import type { Db, Tx } from '../../../platform/db/database.ts';
import { grouped } from '../../../platform/grouped.ts';
import { record } from '../../events/index.ts';
import {
  createPersonalToken,
  listPersonalTokens,
  listTokensOf,
  type PersonalToken,
  removePersonalToken,
  removePersonalTokensOf,
} from '../personal-tokens/index.ts';
import { getRootRole } from '../roles/index.ts';
import {
  changeAccount,
  createAccount,
  getAccount,
  removeAccount,
  type StoredAccount,
  toUser,
} from '../users/index.ts';
import type { CreateServiceAccount, ServiceAccount, ServiceAccountChange } from './contract.ts';
import {
  type ServiceAccountData,
  serviceAccountCreated,
  serviceAccountDeleted,
  serviceAccountUpdated,
} from './events.ts';
import { listServiceAccounts } from './queries.ts';

const kind = 'service account';

const factsOf = ({ id, name, username, rootRole }: StoredAccount): ServiceAccountData => ({
  id,
  name,
  username,
  rootRole,
});

const answerOf = (
  account: Parameters<typeof toUser>[0],
  tokens: readonly PersonalToken[],
  baseUrl: string,
): ServiceAccount => ({ ...toUser(account, baseUrl), tokens: [...tokens] });

export async function listAccounts(db: Db, baseUrl: string): Promise<ServiceAccount[]> {
  const accounts = await listServiceAccounts(db);
  const tokens = await listTokensOf(
    db,
    accounts.map(({ id }) => id),
  );
  const byOwner = grouped(tokens, ({ userId }) => userId);
  return accounts.map((account) => answerOf(account, byOwner.get(account.id) ?? [], baseUrl));
}

const rolePath = '/body/rootRole';

export async function createServiceAccount(
  tx: Tx,
  { username, name, rootRole }: CreateServiceAccount,
  baseUrl: string,
): Promise<ServiceAccount> {
  const role = await getRootRole(tx.db, rootRole, rolePath);
  const input = { kind, username, name: name ?? '', rootRole: role.id } as const;
  const account = await createAccount(tx, input);
  record(tx, serviceAccountCreated({ data: factsOf(account) }));
  return answerOf(account, [], baseUrl);
}

export async function changeServiceAccount(
  tx: Tx,
  id: number,
  { username, name, rootRole }: ServiceAccountChange,
  baseUrl: string,
): Promise<ServiceAccount> {
  const { seenAt } = await getAccount(tx.db, id, kind);
  const role = rootRole === undefined ? undefined : await getRootRole(tx.db, rootRole, rolePath);
  const change = { username, name, rootRole: role?.id };
  const { before, after } = await changeAccount(tx, { id, kind }, change);
  record(tx, serviceAccountUpdated({ data: factsOf(after), preData: factsOf(before) }));
  return answerOf({ ...after, seenAt }, await listPersonalTokens(tx.db, id), baseUrl);
}

export async function removeServiceAccount(tx: Tx, id: number): Promise<void> {
  const account = await removeAccount(tx, { id, kind });
  await removePersonalTokensOf(tx, account);
  record(tx, serviceAccountDeleted({ preData: factsOf(account) }));
}

export async function listAccountTokens(db: Db, id: number): Promise<PersonalToken[]> {
  await getAccount(db, id, kind);
  return listPersonalTokens(db, id);
}

export async function createAccountToken(
  tx: Tx,
  id: number,
  input: Parameters<typeof createPersonalToken>[2],
) {
  const account = await getAccount(tx.db, id, kind);
  return createPersonalToken(tx, account, input);
}

export async function removeAccountToken(tx: Tx, id: number, tokenId: number): Promise<void> {
  const account = await getAccount(tx.db, id, kind);
  await removePersonalToken(tx, account, tokenId);
}
