import { grouped } from '../../../platform/grouped.ts';
import { createToken } from '../../access/api-tokens/index.ts';
import { roleIds } from '../../access/gate/index.ts';
import { createGroup } from '../../access/groups/index.ts';
import { addRoles } from '../../access/project-access/index.ts';
import { createRole } from '../../access/roles/index.ts';
import { createAccount, createPasswordLink } from '../../access/users/index.ts';
import { type AccountDocument, loginOf } from '../document.ts';
import { defineImport } from '../events.ts';
import { insertThing, listAccountIds, listGroupIds, listRoleIds, listThings } from '../queries.ts';
import { asOf } from '../run/as-of.ts';
import { attemptEach, byName, type Item, type KindDefinition, oneByOne, type Run } from './kind.ts';

/** Others may rely on what exists under the same name, so it stays as it is. */
const stays = () => true;

export const role: KindDefinition<'role'> = {
  event: defineImport('role-updated', 'role'),
  listIn: ({ roles }) => roles,
  nameOf: byName,
  isSame: stays,
  run: oneByOne((tx, { after }) =>
    createRole(tx, {
      ...after,
      type: after.type === 'root-custom' ? 'root-custom' : 'custom',
      permissions: after.permissions.map((each) => ({ ...each })),
    }),
  ),
};

/** Creates the account under the id that the history names as its author. */
async function importAccount(
  item: Item<'account' | 'serviceAccount'>,
  { context, source, inOne, reserveId }: Run,
): Promise<void> {
  const { kind, name, username, email, rootRole, id: theirId } = item.after;
  const roles = await listRoleIds(context.db);
  const reserved = (await listThings(context.db, source, 'account')).get(theirId);
  const id = reserved ?? (await reserveId());
  let invitation: string | undefined;
  await inOne([{ ...item, after: { ...item.after, id } }], async (tx) => {
    await createAccount(await asOf(tx, item.after), {
      ...{ id, kind, name, username, email },
      rootRole: roles.get(rootRole) ?? roleIds.viewer,
    });
    if (reserved === undefined) await insertThing(tx, source, 'account', theirId, id);
    if (kind === 'person') invitation = (await createPasswordLink(tx, id, 'invitation')).secret;
  });
  if (invitation !== undefined) context.link(item.name, invitation);
}

const accountsOf =
  (kind: AccountDocument['kind']) =>
  ({ accounts }: { readonly accounts: readonly AccountDocument[] }) =>
    accounts.filter((each) => each.kind === kind);

export const account: KindDefinition<'account'> = {
  event: defineImport('user-updated', 'user', ['name', 'username', 'email']),
  listIn: accountsOf('person'),
  nameOf: loginOf,
  isSame: stays,
  run: attemptEach(importAccount),
};

export const serviceAccount: KindDefinition<'serviceAccount'> = {
  event: defineImport('service-account-updated', 'service account', ['name', 'username']),
  listIn: accountsOf('service account'),
  nameOf: loginOf,
  isSame: stays,
  run: attemptEach(importAccount),
};

export const group: KindDefinition<'group'> = {
  event: defineImport('group-updated', 'group'),
  listIn: ({ groups }) => groups,
  nameOf: byName,
  isSame: stays,
  run: oneByOne(async (tx, { after }) => {
    const { name, description, mappingsSSO, rootRole, members } = after;
    const roles = await listRoleIds(tx.db);
    const rootRoleId = rootRole === null ? undefined : roles.get(rootRole);
    await createGroup(await asOf(tx, after), {
      ...{ name, description, mappingsSSO: [...mappingsSSO] },
      ...(rootRoleId !== undefined && { rootRole: rootRoleId }),
      users: (await listAccountIds(tx.db, members)).map((id) => ({ user: { id } })),
    });
  }),
};

export const projectAccess: KindDefinition<'projectAccess'> = {
  event: defineImport('project-access-updated', 'access to the project'),
  listIn: ({ projects }) => projects.map(({ id, access }) => ({ project: id, access })),
  nameOf: ({ project }) => project,
  about: ({ project }) => ({ project }),
  dataOf: ({ access }) => ({ access }),
  run: oneByOne(async (tx, { after: { project, access } }) => {
    const [roles, groups] = [await listRoleIds(tx.db), await listGroupIds(tx.db)];
    for (const [name, own] of grouped(access, (each) => each.role)) {
      const roleId = roles.get(name);
      if (roleId === undefined) continue;
      await addRoles(tx, project, {
        roles: [roleId],
        groups: own.flatMap((each) =>
          each.group === undefined ? [] : (groups.get(each.group) ?? []),
        ),
        users: await listAccountIds(
          tx.db,
          own.flatMap((each) => each.account ?? []),
        ),
      });
    }
  }),
};

/** Tokens keep their secrets, so that applications need no change. */
export const token: KindDefinition<'token'> = {
  event: defineImport('api-token-updated', 'API token'),
  listIn: ({ tokens }) => tokens,
  nameOf: byName,
  dataOf: ({ secret: _, ...facts }) => facts,
  run: oneByOne(async (tx, { after }, { context }) => {
    const { name, type, environment, projects, expiresAt, alias, secret } = after;
    if (secret === null) throw new Error(`The token '${name}' has no readable secret`);
    const scope = { project: projects.includes('*') ? ('*' as const) : [...projects], environment };
    await createToken(
      await asOf(tx, after),
      {
        ...{ name, type, secret, alias, origin: 'command line' },
        ...(type !== 'admin' && { scope }),
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
      },
      context.encryptionKeys,
    );
  }),
};
