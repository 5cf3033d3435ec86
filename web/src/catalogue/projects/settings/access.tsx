import '@mantine/core/styles/Accordion.layer.css';
import {
  Accordion,
  Avatar,
  Badge,
  Group,
  MultiSelect,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconPlus, IconSearch, IconTrash, IconUsersGroup } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { useMe, useRefusal } from '../../../me.ts';
import { read } from '../../../queries.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { EmptyState, NoMatch } from '../../../ui/empty-state.tsx';
import { agree, joinAnd, plural } from '../../../ui/format.ts';
import { GuardedButton, GuardedIcon, refusedField } from '../../../ui/guarded.tsx';
import { tellDone, tellProblem } from '../../../ui/notices.tsx';
import { Person } from '../../../ui/person.tsx';
import { Problem } from '../../../ui/problem.tsx';
import table from '../../../ui/table.module.css';
import { Since } from '../../../ui/time.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { Waiting } from '../../../ui/waiting.tsx';
import { WithCode } from '../../../ui/with-code.tsx';
import classes from '../projects.module.css';
import { type Access, type ProjectRole, refreshAccess } from './access-reads.ts';
import { AddMembers } from './add-members.tsx';
import { SettingsHead } from './settings-head.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/access');

/** The built-in role that manages members. */
const ownerRole = 4;

/** A user, service account or group with roles in the project. */
interface Holder {
  readonly kind: 'user' | 'group';
  readonly id: number;
  readonly name: string;
  readonly note: string;
  readonly imageUrl?: string;
  readonly roles: readonly number[];
  readonly addedAt: string;
}

const holdersOf = ({ users, groups }: Access): Holder[] => [
  ...users.map(({ id, name, email, username, accountType, imageUrl, roles, addedAt }) => ({
    kind: 'user' as const,
    id,
    name: name || username || email || `User ${id}`,
    note: accountType === 'User' ? (email ?? username ?? '') : 'Service account',
    imageUrl,
    roles,
    addedAt,
  })),
  ...groups.map(({ id, name, users: members, roles, addedAt }) => ({
    kind: 'group' as const,
    id,
    name,
    note: `Group · ${plural(members.length, 'member')}`,
    roles,
    addedAt,
  })),
];

const setRoles = (projectId: string, { kind, id }: Holder, roles: readonly number[]) => {
  const body = { roles: [...roles] };
  return kind === 'user'
    ? api('PUT /api/admin/projects/:projectId/users/:userId/roles', {
        params: { projectId, userId: String(id) },
        body,
      })
    : api('PUT /api/admin/projects/:projectId/groups/:groupId/roles', {
        params: { projectId, groupId: String(id) },
        body,
      });
};

/** The members of a project and their roles. */
export function ProjectAccess() {
  const { projectId } = route.useParams();
  const where = { project: projectId };
  const mayNotRead = useRefusal(['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_READ'], where);
  const mayNotWrite = useRefusal(['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'], where);
  const [isAdding, setAdding] = useState(false);
  const [text, setText] = useState('');
  const access = useQuery({
    ...read('GET /api/admin/projects/:projectId/access', { params: { projectId } }),
    enabled: mayNotRead === undefined,
  });
  if (mayNotRead !== undefined) {
    return (
      <EmptyState title="You can't view members">
        <WithCode text={mayNotRead} />
      </EmptyState>
    );
  }
  if (access.isPending) return <Waiting />;
  if (access.isError) return <Problem error={access.error} />;
  const holders = holdersOf(access.data);
  const { roles } = access.data;
  const owners = holders.filter((holder) => holder.roles.includes(ownerRole));
  const shown = holders.filter(({ name, note }) =>
    `${name} ${note}`.toLowerCase().includes(text.toLowerCase()),
  );
  return (
    <Stack>
      <SettingsHead
        title="Members and roles"
        action={
          <GuardedButton
            refusal={mayNotWrite}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            Add members
          </GuardedButton>
        }
      >
        Members with several roles get all of their permissions. Admins have full access and aren't
        listed.
      </SettingsHead>
      {holders.length > 8 && (
        <TextInput
          data-search
          aria-label="Search members"
          placeholder="Search by name"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      {holders.length === 0 ? (
        <EmptyState title="No members yet">Add users or groups and choose their roles.</EmptyState>
      ) : shown.length === 0 ? (
        <NoMatch what="members" query={text} onClear={() => setText('')} />
      ) : (
        <div className={`card ${classes.scrolling}`}>
          <Table
            verticalSpacing={8}
            horizontalSpacing="md"
            className={`${table.stacked} ${classes.members}`}
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Member</Table.Th>
                <Table.Th>Roles</Table.Th>
                <Table.Th visibleFrom="lg">Added</Table.Th>
                <Table.Th w={56}>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((holder) => (
                <HolderRow
                  key={`${holder.kind} ${holder.id}`}
                  projectId={projectId}
                  holder={holder}
                  roles={roles}
                  refusal={mayNotWrite}
                  isLastOwner={owners.length === 1 && owners[0] === holder}
                />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      <RolesExplained roles={roles} />
      {isAdding && (
        <AddMembers
          projectId={projectId}
          roles={roles}
          present={new Set(holders.map(({ kind, id }) => `${kind} ${id}`))}
          onClose={() => setAdding(false)}
        />
      )}
    </Stack>
  );
}

interface RowProps {
  readonly projectId: string;
  readonly holder: Holder;
  readonly roles: readonly ProjectRole[];
  readonly refusal: string | undefined;
  readonly isLastOwner: boolean;
}

interface RolesChange {
  readonly wanted: readonly number[];
  /** For Undo: the event of the change may arrive before the response. */
  readonly before: readonly number[];
}

const lastOwnerReason = 'A project needs an owner. Make someone else an owner first.';

function HolderRow({ projectId, holder, roles, refusal, isLastOwner }: RowProps) {
  const { user } = useMe();
  const [isRemoving, setRemoving] = useState(false);
  const { kind, id, name, note } = holder;
  const isMe = kind === 'user' && id === user.id;
  const nameOf = (role: number) => roles.find((each) => each.id === role)?.name ?? `#${role}`;
  const change = useMutation({
    mutationFn: ({ wanted }: RolesChange) => setRoles(projectId, holder, wanted),
    onSuccess: async (_, { wanted, before }) => {
      await refreshAccess();
      tellDone({
        id: `member ${kind} ${id}`,
        title: `Roles for ${name}: ${joinAnd(wanted.map(nameOf))}`,
        undo: async () => {
          await setRoles(projectId, holder, before);
          await refreshAccess();
        },
      });
    },
    onError: (error) => tellProblem(`change roles for ${name}`, error),
  });
  const choose = (values: readonly string[]) => {
    const wanted = values.map(Number);
    if (wanted.length === 0) setRemoving(true);
    else if (isLastOwner && !wanted.includes(ownerRole)) {
      tellProblem(`change roles for ${name}`, new Error(lastOwnerReason));
    } else change.mutate({ wanted, before: holder.roles });
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          {kind === 'group' ? (
            <Avatar size={28} radius="xl" color="gray" alt="">
              <IconUsersGroup size={16} aria-hidden />
            </Avatar>
          ) : (
            <Person name={name} imageUrl={holder.imageUrl} size={28} />
          )}
          <div className={classes.archivedName}>
            <Text size="sm" fw={600}>
              {name}
              {isMe && ' (you)'}
            </Text>
            <Text size="xs" className="quiet">
              {note}
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td miw={200}>
        <Tooltip
          label={refusal ?? lastOwnerReason}
          disabled={refusal === undefined && !isLastOwner}
          multiline
          maw={280}
        >
          <MultiSelect
            aria-label={`Roles for ${name}`}
            size="xs"
            {...(refusal !== undefined && refusedField(refusal))}
            disabled={change.isPending}
            data={roles.map((role) => ({ value: String(role.id), label: role.name }))}
            value={(change.isPending ? change.variables.wanted : holder.roles).map(String)}
            onChange={choose}
            comboboxProps={{ transitionProps: { duration: 100 } }}
          />
        </Tooltip>
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <Text size="sm" className="quiet" component="span">
          <Since instant={holder.addedAt} />
        </Text>
      </Table.Td>
      <Table.Td>
        <GuardedIcon
          icon={IconTrash}
          refusal={refusal ?? (isLastOwner ? lastOwnerReason : undefined)}
          label={`Remove ${name}`}
          onClick={() => setRemoving(true)}
        />
        {isRemoving && (
          <Confirm
            title={isMe ? 'Leave this project?' : `Remove ${name} from this project?`}
            action={isMe ? 'Leave project' : kind === 'group' ? 'Remove group' : 'Remove member'}
            onClose={() => setRemoving(false)}
            onConfirm={async () => {
              if (isLastOwner) throw new Error(lastOwnerReason);
              await (kind === 'user'
                ? api('DELETE /api/admin/projects/:projectId/users/:userId/roles', {
                    params: { projectId, userId: String(id) },
                  })
                : api('DELETE /api/admin/projects/:projectId/groups/:groupId/roles', {
                    params: { projectId, groupId: String(id) },
                  }));
              const before = holder.roles;
              await refreshAccess();
              tellDone({
                id: `member ${kind} ${id}`,
                title: `${name} removed from the project`,
                undo: async () => {
                  await setRoles(projectId, holder, before);
                  await refreshAccess();
                },
              });
            }}
          >
            <Text size="sm">
              {isMe ? "You'll" : `${name} will`} lose{' '}
              {agree(holder.roles.length, 'this role', 'these roles')}:{' '}
              {joinAnd(holder.roles.map(nameOf))}.{' '}
              {kind === 'group' && 'This affects everyone in the group.'}
              {isMe && 'You might not be able to add yourself back.'}
            </Text>
          </Confirm>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** The permissions of each role. */
function RolesExplained({ roles }: { readonly roles: readonly ProjectRole[] }) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <section aria-label="Role permissions">
      <Title order={3} size="h5" mb="xs">
        Role permissions
      </Title>
      <Accordion
        variant="contained"
        value={open}
        onChange={setOpen}
        order={4}
        transitionDuration={100}
        className={classes.roles}
      >
        {roles.map((role) => (
          <Accordion.Item key={role.id} value={String(role.id)}>
            <Accordion.Control>
              <Group gap={8}>
                <Text size="sm" fw={600}>
                  {role.name}
                </Text>
                {role.type === 'custom' && (
                  <Badge size="xs" variant="outline" color="gray" tt="none">
                    Custom
                  </Badge>
                )}
                <Text size="sm" className="quiet">
                  {role.description}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              {open === String(role.id) && <Allowed roleId={role.id} />}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </section>
  );
}

function Allowed({ roleId }: { readonly roleId: number }) {
  const mayNot = useRefusal('READ_ROLE');
  const role = useQuery({
    ...read('GET /api/admin/roles/:roleId', { params: { roleId: String(roleId) } }),
    enabled: mayNot === undefined,
  });
  if (mayNot !== undefined) {
    return (
      <Text size="sm">
        <WithCode text={mayNot} />
      </Text>
    );
  }
  if (role.isPending) return <Text size="sm">Loading…</Text>;
  if (role.isError) return <Problem error={role.error} />;
  const byPlace = Map.groupBy(role.data.permissions, ({ type, environment }) =>
    type === 'environment' ? (environment ?? 'All environments') : 'Project',
  );
  return (
    <div className={classes.permissions}>
      {[...byPlace].map(([place, permissions]) => (
        <div key={place}>
          <Text size="xs" className="quiet" mb={4}>
            {place}
          </Text>
          {permissions.map(({ name, displayName }) => (
            <Text key={name} size="sm" title={name}>
              {displayName}
            </Text>
          ))}
        </div>
      ))}
    </div>
  );
}
