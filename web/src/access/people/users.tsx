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
import { useState } from 'react';
import { api, type Response } from '../../api.ts';
import { useMe, useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { plural } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { Person } from '../../ui/person.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import table from '../../ui/table.module.css';
import { Since } from '../../ui/time.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { matches, nameOfAccount, noteOfAccount } from '../account-words.ts';
import classes from '../admin.module.css';
import { changedSearch, type UsersSearch } from '../admin-search.ts';
import { EditPerson, peopleReads } from './edit-person.tsx';
import { Invite } from './invite.tsx';

const route = getRouteApi('/shell/admin/users');

type People = Response<'GET /api/admin/user-admin'>;
type User = People['users'][number];
type RootRole = People['rootRoles'][number];

const refresh = () => invalidate(...peopleReads);

/** Everybody who can sign in. */
export function Users() {
  const navigate = route.useNavigate();
  const refusal = useRefusal('ADMIN');
  return (
    <Page
      title="People"
      lead="Everybody who can sign in. A role here counts in the whole installation; roles in projects come on top."
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
      <UserList />
    </Page>
  );
}

/** So many rows are drawn at first; who looks for one person searches. */
const pageSize = 50;

function UserList() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { users, rootRoles } = useSuspenseQuery(read('GET /api/admin/user-admin', {})).data;
  const inactive = useQuery(read('GET /api/admin/user-admin/inactive', {})).data?.inactiveUsers;
  const overview = useQuery(read('GET /api/admin/access/overview', {})).data?.overview;
  const accessOf = new Map(overview?.map((access) => [access.userId, access]));
  const [most, setMost] = useState(pageSize);
  const [resetting, setResetting] = useState<User>();
  const [editing, setEditing] = useState<User>();
  const [removed, setRemoved] = useState<readonly User[]>([]);
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
      <Group gap="sm" role="search" aria-label="People">
        <SearchField
          label="Search people"
          placeholder="Search by name or e-mail"
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
            { value: '', label: 'Every role' },
            ...rootRoles.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
        <SegmentedControl
          aria-label="Which people"
          value={search.show ?? 'all'}
          onChange={(value) =>
            change({ show: value === 'all' ? undefined : (value as 'inactive' | 'never') })
          }
          data={[
            { value: 'all', label: `All ${users.length}` },
            { value: 'inactive', label: `Inactive ${inactive?.length ?? ''}` },
            { value: 'never', label: `Never signed in ${never.length}` },
          ]}
        />
      </Group>
      {search.show === 'inactive' && shown.length > 0 && (
        <Alert color="gray" title="Not seen for 180 days">
          <Group justify="space-between">
            <Text size="sm">An account that nobody uses is a way in that nobody watches.</Text>
            <Button size="xs" variant="default" onClick={() => setRemoved(shown)}>
              Remove {plural(shown.length, 'person', 'people')}
            </Button>
          </Group>
        </Alert>
      )}
      {shown.length === 0 ? (
        <EmptyState title="Nobody matches">
          {search.show === 'inactive'
            ? 'Everybody was here within the last 180 days.'
            : 'Search for another name, or invite them.'}
        </EmptyState>
      ) : (
        <div className={`card ${classes.frame}`}>
          <Table
            className={`${table.stacked} ${classes.cards}`}
            verticalSpacing={8}
            horizontalSpacing="md"
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Person</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th>Groups and projects</Table.Th>
                <Table.Th>Last seen</Table.Th>
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
                  access={accessOf.get(user.id)}
                  isInactive={inactiveIds.has(user.id)}
                  onReset={() => setResetting(user)}
                  onEdit={() => setEditing(user)}
                  onRemove={() => setRemoved([user])}
                />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {shown.length > most && (
        <Group justify="center">
          <Button variant="default" onClick={() => setMost(most + pageSize)}>
            Show {Math.min(pageSize, shown.length - most)} more of {shown.length}
          </Button>
        </Group>
      )}
      {search.invite && (
        <Invite rootRoles={rootRoles} onClose={() => change({ invite: undefined })} />
      )}
      {resetting && <ResetLink user={resetting} onClose={() => setResetting(undefined)} />}
      {editing && <EditPerson user={editing} onClose={() => setEditing(undefined)} />}
      {removed.length > 0 && <RemovePeople users={removed} onClose={() => setRemoved([])} />}
    </>
  );
}

interface RowProps {
  readonly user: User;
  readonly rootRoles: readonly RootRole[];
  readonly access: Response<'GET /api/admin/access/overview'>['overview'][number] | undefined;
  readonly isInactive: boolean;
  readonly onReset: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

const setRole = (user: User, rootRole: number) =>
  api('PUT /api/admin/user-admin/:id', { params: { id: String(user.id) }, body: { rootRole } });

function Row({ user, rootRoles, access, isInactive, onReset, onEdit, onRemove }: RowProps) {
  const me = useMe();
  const name = nameOfAccount(user);
  const isMe = me.user.id === user.id;
  const before = user.rootRole ?? 0;
  const change = useMutation({
    mutationFn: (role: number) => setRole(user, role),
    onSuccess: async (_, role) => {
      await refresh();
      tellDone({
        id: `role of ${user.id}`,
        title: `${name} now has the ${rootRoles.find(({ id }) => id === role)?.name} role`,
        undo: async () => {
          await setRole(user, before);
          await refresh();
        },
      });
    },
    onError: (error) => tellProblem(`change the role of ${name}`, error),
  });
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
      <Table.Td>
        {isMe ? (
          <Tooltip label="Your own role is changed by another administrator" multiline maw={240}>
            <Text size="sm" component="span">
              {rootRoles.find(({ id }) => id === before)?.name}
            </Text>
          </Tooltip>
        ) : (
          <NativeSelect
            aria-label={`Role of ${name}`}
            size="xs"
            maw={180}
            disabled={change.isPending}
            value={change.isPending ? change.variables : before}
            onChange={({ currentTarget }) => change.mutate(Number(currentTarget.value))}
            data={rootRoles.map((role) => ({ value: String(role.id), label: role.name }))}
          />
        )}
      </Table.Td>
      <Table.Td>
        <Tooltip
          label={[...(access?.groups ?? []), ...projects].join(', ')}
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
                ].join(', ') || 'none'}
          </Text>
        </Tooltip>
      </Table.Td>
      <Table.Td>
        <Text size="sm" component="span" className={isInactive ? undefined : 'quiet'}>
          {user.seenAt === undefined ? 'never' : <Since instant={user.seenAt} />}
          {isInactive && user.seenAt !== undefined && ' · inactive'}
        </Text>
      </Table.Td>
      <Table.Td>
        <MenuButton
          position="bottom-end"
          button={
            <ActionIcon variant="subtle" color="gray" aria-label={`More about ${name}`}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          }
        >
          <Menu.Item onClick={onEdit}>Change name or address</Menu.Item>
          <Menu.Item onClick={onReset}>Link to set a new password</Menu.Item>
          <Menu.Item color="red" disabled={isMe} onClick={onRemove}>
            {isMe ? 'You cannot remove yourself' : 'Remove'}
          </Menu.Item>
        </MenuButton>
      </Table.Td>
    </Table.Tr>
  );
}

function ResetLink({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const name = nameOfAccount(user);
  const create = useMutation({
    mutationFn: () => api('POST /api/admin/user-admin/reset-password', { body: { id: user.id } }),
  });
  return (
    <Modal opened onClose={onClose} title={`New password for ${name}`} size="lg">
      <Stack>
        {create.data ? (
          <>
            <Text size="sm">
              {create.data.emailSent
                ? `It was sent to ${user.email}. You can also pass it on yourself.`
                : `Send it to ${name} on a way that only they read.`}{' '}
              It works once, within 24 hours, and is shown only now.
            </Text>
            <Copyable
              text={create.data.resetPasswordUrl}
              label="Copy the link"
              testId="reset-link"
            />
          </>
        ) : (
          <Text size="sm">
            {name} chooses a new password through a link. Until then the old one works; with the new
            one all their sessions and personal tokens end.
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
              Create link
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function RemovePeople({
  users,
  onClose,
}: {
  readonly users: readonly User[];
  readonly onClose: () => void;
}) {
  const [first] = users;
  const who =
    users.length === 1 && first ? nameOfAccount(first) : plural(users.length, 'person', 'people');
  return (
    <Confirm
      title={`Remove ${who}?`}
      action="Remove"
      onClose={onClose}
      onConfirm={async () => {
        await (users.length === 1 && first
          ? api('DELETE /api/admin/user-admin/:id', { params: { id: String(first.id) } })
          : api('POST /api/admin/user-admin/inactive/delete', {
              body: { ids: users.map(({ id }) => id) },
            }));
        await refresh();
        tellDone({ id: 'people removed', title: `${who} deleted` });
      }}
    >
      {users.length > 1 && (
        <Text size="sm">{users.map((user) => nameOfAccount(user)).join(', ')}</Text>
      )}
      <Text size="sm">
        Their sessions and personal tokens end at once. What they did stays in the log under their
        name. A project that only they owned is left to administrators. This cannot be undone.
      </Text>
    </Confirm>
  );
}
