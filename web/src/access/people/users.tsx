import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Menu,
  Modal,
  NativeSelect,
  SegmentedControl,
  Stack,
  Table,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import { IconDots, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { api, type Response } from '../../api.ts';
import { useMe, useRefusal } from '../../me.ts';
import { useProjectName } from '../../project-name.tsx';
import { invalidate, read } from '../../queries.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { joinAnd, numberText, plural } from '../../ui/format.ts';
import { GuardedItem } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { Person } from '../../ui/person.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Since } from '../../ui/time.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { matches, nameOfAccount, noteOfAccount } from '../account-words.ts';
import classes from '../admin.module.css';
import { changedSearch, type UsersSearch } from '../admin-search.ts';
import { RootRoleSelect } from '../roles/root-role-select.tsx';
import { EditPerson, peopleReads } from './edit-person.tsx';
import { Invite } from './invite.tsx';
import { deliveryText } from './link-words.ts';
import { noUsersReason } from './no-users.ts';
import { UsersWaiting } from './users-waiting.tsx';

const route = getRouteApi('/shell/admin/users');

type UserAdmin = Response<'GET /api/admin/user-admin'>;
type User = UserAdmin['users'][number];
type RootRole = UserAdmin['rootRoles'][number];

const refresh = () => invalidate(...peopleReads);

/** Everyone who can sign in. */
export function Users() {
  const navigate = route.useNavigate();
  const refusal = useRefusal('ADMIN');
  return (
    <Page
      title="Users"
      lead="Everyone who can sign in. Root roles apply across the instance; project roles add to them."
      refusal={refusal}
      action={
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ search: (before) => ({ ...before, invite: true }) })}
        >
          Invite user
        </Button>
      }
    >
      <Suspense fallback={<UsersWaiting />}>
        <UserList />
      </Suspense>
    </Page>
  );
}

/** More rows are drawn on demand. */
const pageSize = 50;

function UserList() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { users, rootRoles } = useSuspenseQuery(read('GET /api/admin/user-admin', {})).data;
  const foundInactive = useQuery(read('GET /api/admin/user-admin/inactive', {}));
  const inactive = foundInactive.data?.inactiveUsers;
  const overview = useQuery(read('GET /api/admin/access/overview', {})).data?.overview;
  const nameOfProject = useProjectName();
  const accessOf = new Map(overview?.map((access) => [access.userId, access]));
  const [most, setMost] = useState(pageSize);
  const [resetting, setResetting] = useState<User>();
  const [editing, setEditing] = useState<User>();
  const [deleted, setDeleted] = useState<readonly User[]>([]);
  const inactiveIds = new Set(inactive?.map(({ id }) => id));
  const never = users.filter(({ seenAt }) => seenAt === undefined);

  const change = (next: { [Name in keyof UsersSearch]?: UsersSearch[Name] | undefined }) =>
    void navigate({ search: changedSearch(search, next), replace: true });
  const shown = users.filter(
    (user) =>
      matches(`${nameOfAccount(user)} ${noteOfAccount(user)}`, search.query) &&
      (search.role === undefined || user.rootRole === search.role) &&
      (search.show !== 'inactive' || inactiveIds.has(user.id)) &&
      (search.show !== 'never' || user.seenAt === undefined),
  );
  return (
    <>
      <Group gap="sm" role="search" aria-label="Users">
        <SearchField
          label="Search users"
          placeholder="Search by name or email"
          value={search.query ?? ''}
          onChange={(text) => change({ query: text || undefined })}
          flex={1}
          miw={200}
        />
        <NativeSelect
          aria-label="Role"
          value={search.role ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ role: value === '' ? undefined : Number(value) })
          }
          data={[
            { value: '', label: 'All roles' },
            ...rootRoles.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
        <SegmentedControl
          aria-label="Activity"
          value={search.show ?? 'all'}
          onChange={(value) =>
            change({ show: value === 'all' ? undefined : (value as 'inactive' | 'never') })
          }
          data={[
            { value: 'all', label: `All ${numberText(users.length)}` },
            { value: 'inactive', label: `Inactive ${inactive ? numberText(inactive.length) : ''}` },
            { value: 'never', label: `Never signed in ${numberText(never.length)}` },
          ]}
        />
      </Group>
      {search.show === 'inactive' && shown.length > 0 && (
        <Alert color="gray" title="Inactive for 180+ days">
          <Group justify="space-between">
            <Text size="sm">
              Unused accounts are a security risk. Delete the ones you don't need.
            </Text>
            <Button size="xs" variant="default" onClick={() => setDeleted(shown)}>
              Delete {plural(shown.length, 'user')}
            </Button>
          </Group>
        </Alert>
      )}
      {search.show === 'inactive' && foundInactive.isPending ? (
        <Waiting />
      ) : shown.length === 0 ? (
        <NoUsers search={search} onClear={change} />
      ) : (
        <div className={`card ${classes.frame}`}>
          <Table className={classes.cards ?? ''} verticalSpacing={8} horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>User</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th>Groups and projects</Table.Th>
                <Table.Th>Last active</Table.Th>
                <Table.Th w={56}>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.slice(0, most).map((user) => (
                <Row
                  key={user.id}
                  user={user}
                  rootRoles={rootRoles}
                  nameOfProject={nameOfProject}
                  access={accessOf.get(user.id)}
                  isInactive={inactiveIds.has(user.id)}
                  onReset={() => setResetting(user)}
                  onEdit={() => setEditing(user)}
                  onDelete={() => setDeleted([user])}
                />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {shown.length > most && (
        <Group justify="center">
          <Button variant="default" onClick={() => setMost(most + pageSize)}>
            Show {numberText(Math.min(pageSize, shown.length - most))} more of{' '}
            {numberText(shown.length)}
          </Button>
        </Group>
      )}
      {search.invite && (
        <Invite rootRoles={rootRoles} onClose={() => change({ invite: undefined })} />
      )}
      {resetting && <ResetLink user={resetting} onClose={() => setResetting(undefined)} />}
      {editing && <EditPerson user={editing} onClose={() => setEditing(undefined)} />}
      {deleted.length > 0 && <DeleteUsers users={deleted} onClose={() => setDeleted([])} />}
    </>
  );
}

interface NoUsersProps {
  readonly search: UsersSearch;
  readonly onClear: (next: { readonly [Name in keyof UsersSearch]: undefined }) => void;
}

function NoUsers({ search, onClear }: NoUsersProps) {
  const reason = noUsersReason(search);
  if ('title' in reason) return <EmptyState title={reason.title}>{reason.text}</EmptyState>;
  return (
    <NoMatch
      what="users"
      {...reason}
      onClear={() =>
        onClear(
          reason.query === undefined
            ? { query: undefined, role: undefined, show: undefined }
            : { query: undefined },
        )
      }
    >
      Try another search, or invite a user.
    </NoMatch>
  );
}

interface RowProps {
  readonly user: User;
  readonly rootRoles: readonly RootRole[];
  readonly nameOfProject: (id: string) => string;
  readonly access: Response<'GET /api/admin/access/overview'>['overview'][number] | undefined;
  readonly isInactive: boolean;
  readonly onReset: () => void;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

const setRole = (user: User, rootRole: number) =>
  api('PUT /api/admin/user-admin/:id', { params: { id: String(user.id) }, body: { rootRole } });

function Row({
  user,
  rootRoles,
  nameOfProject,
  access,
  isInactive,
  onReset,
  onEdit,
  onDelete,
}: RowProps) {
  const me = useMe();
  const name = nameOfAccount(user);
  const isMe = me.user.id === user.id;
  const projects = new Set([
    ...(access?.accessibleProjects ?? []),
    ...(access?.groupProjects ?? []),
  ]);
  return (
    <Table.Tr className={classes.row}>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <Person name={name} imageUrl={user.imageUrl} size={28} />
          <div className={classes.name}>
            <PageLink
              to="/admin/users/$userId"
              params={{ userId: String(user.id) }}
              size="sm"
              fw={600}
            >
              {name}
              {isMe && ' (you)'}
            </PageLink>
            <Text size="xs" className="quiet">
              {noteOfAccount(user)}
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td data-label="Role">
        {isMe ? (
          <Tooltip label="Only another admin can change your role" multiline maw={240}>
            <Text size="sm" component="span">
              {rootRoles.find(({ id }) => id === user.rootRole)?.name}
            </Text>
          </Tooltip>
        ) : (
          <RootRoleSelect
            account={user}
            rootRoles={rootRoles}
            save={(rootRole) => setRole(user, rootRole)}
            reads={peopleReads}
          />
        )}
      </Table.Td>
      <Table.Td data-label="Groups and projects">
        <Tooltip
          label={[...(access?.groups ?? []), ...[...projects].map(nameOfProject)].join(', ')}
          disabled={projects.size + (access?.groups.length ?? 0) === 0}
          multiline
          maw={320}
        >
          <Text size="sm" className="quiet" component="span">
            {access === undefined
              ? ''
              : [
                  ...(access.groups.length > 0 ? [plural(access.groups.length, 'group')] : []),
                  ...(projects.size > 0 ? [plural(projects.size, 'project')] : []),
                ].join(', ') || 'None'}
          </Text>
        </Tooltip>
      </Table.Td>
      <Table.Td data-label="Last active">
        <Text size="sm" component="span" className={isInactive ? undefined : 'quiet'}>
          {user.seenAt === undefined ? 'Never' : <Since instant={user.seenAt} />}
          {isInactive && user.seenAt !== undefined && ' · Inactive'}
        </Text>
      </Table.Td>
      <Table.Td>
        <MenuButton
          position="bottom-end"
          button={
            <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          }
        >
          <Menu.Item onClick={onEdit}>Edit user</Menu.Item>
          <Menu.Item onClick={onReset}>Reset password</Menu.Item>
          <GuardedItem
            color="red"
            refusal={isMe ? "You can't delete your own account" : undefined}
            onClick={onDelete}
          >
            Delete user
          </GuardedItem>
        </MenuButton>
      </Table.Td>
    </Table.Tr>
  );
}

function ResetLink({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const name = nameOfAccount(user);
  const emailEnabled = useQuery(read('GET /api/admin/ui-config', {})).data?.emailEnabled ?? false;
  const create = useMutation({
    mutationFn: () => api('POST /api/admin/user-admin/reset-password', { body: { id: user.id } }),
  });
  return (
    <Modal opened onClose={onClose} title={`Reset password for ${name}`} size="lg">
      <Stack>
        {create.data ? (
          <>
            <Text size="sm">
              {deliveryText('Reset link', name, {
                emailSent: create.data.emailSent,
                email: user.email,
                emailEnabled,
              })}{' '}
              It works once, expires in 24 hours, and won't be shown again.
            </Text>
            <Copyable text={create.data.resetPasswordUrl} label="Copy link" testId="reset-link" />
          </>
        ) : (
          <Text size="sm">
            {name} can use the link to choose a new password. Their current password works until
            then. Setting a new one ends their sessions and revokes their personal access tokens.
          </Text>
        )}
        {create.isError && (
          <Alert color="red" role="alert">
            {create.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {create.data ? 'Done' : 'Cancel'}
          </Button>
          {!create.data && (
            <Button loading={create.isPending} onClick={() => create.mutate()} data-autofocus>
              Create reset link
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function DeleteUsers({
  users,
  onClose,
}: {
  readonly users: readonly User[];
  readonly onClose: () => void;
}) {
  const [first] = users;
  const who = users.length === 1 && first ? nameOfAccount(first) : plural(users.length, 'user');
  return (
    <Confirm
      title={`Delete ${who}?`}
      action={users.length === 1 ? 'Delete user' : `Delete ${who}`}
      onClose={onClose}
      onConfirm={async () => {
        await (users.length === 1 && first
          ? api('DELETE /api/admin/user-admin/:id', { params: { id: String(first.id) } })
          : api('POST /api/admin/user-admin/inactive/delete', {
              body: { ids: users.map(({ id }) => id) },
            }));
        await refresh();
        tellDone({
          id: 'users deleted',
          title: `${users.length === 1 ? 'User ' : ''}${who} deleted`,
        });
      }}
    >
      {users.length > 1 && <Text size="sm">{joinAnd(users.map(nameOfAccount))}</Text>}
      <Text size="sm">
        They're signed out immediately and their personal access tokens stop working. Their activity
        stays in the event log. If a project has no other owner, an admin has to add one. This can't
        be undone.
      </Text>
    </Confirm>
  );
}
