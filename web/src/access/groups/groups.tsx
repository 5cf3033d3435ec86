import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPencil, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Response } from '../../api.ts';
import { counted } from '../../catalogue/projects/words.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageLink } from '../../ui/link.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { RefusableIcon } from '../../ui/refusable.tsx';
import classes from '../access.module.css';
import { matches, nameOfAccount } from '../account-words.ts';
import { GroupForm } from './group-form.tsx';

export type TeamGroup = Response<'GET /api/admin/groups'>['groups'][number];

const refresh = () =>
  invalidate(
    'GET /api/admin/groups',
    'GET /api/admin/access/overview',
    'GET /api/admin/user-admin/access',
  );

/** Groups of people who get roles together. */
export function Groups() {
  const refusal = useRefusal('ADMIN');
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Groups"
      lead="A group gets roles in projects like a person. Who joins it has them, who leaves it loses them."
      refusal={refusal}
      action={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          New group
        </Button>
      }
    >
      <GroupList />
      {isCreating && (
        <GroupForm group={undefined} onSaved={refresh} onClose={() => setCreating(false)} />
      )}
    </Page>
  );
}

/** So many members are named. */
const namedMembers = 12;

function GroupList() {
  const { groups } = useSuspenseQuery(read('GET /api/admin/groups', {})).data;
  const { rootRoles } = useSuspenseQuery(read('GET /api/admin/user-admin', {})).data;
  const projects = useSuspenseQuery(read('GET /api/admin/projects', {})).data.projects;
  const [text, setText] = useState('');
  const [editing, setEditing] = useState<TeamGroup>();
  const [deleting, setDeleting] = useState<TeamGroup>();
  if (groups.length === 0) {
    return (
      <EmptyState title="There are no groups yet">
        Make one for each team, and give it roles in the projects of the team. Groups can also
        follow those of your OpenID provider.
      </EmptyState>
    );
  }
  const shown = groups.filter(({ name, description, users }) =>
    matches(
      `${name} ${description} ${users.map(({ user }) => nameOfAccount(user)).join(' ')}`,
      text,
    ),
  );
  return (
    <>
      {groups.length > 5 && (
        <TextInput
          data-search
          aria-label="Search groups"
          placeholder="Search by name or member"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      {shown.length === 0 && <EmptyState title={`No group matches “${text}”`} />}
      {shown.map((group) => (
        <Stack
          key={group.id}
          component="section"
          className="card"
          p="md"
          gap="xs"
          aria-label={group.name}
        >
          <Group justify="space-between" wrap="nowrap" align="start">
            <div className={classes.permissions}>
              <Group gap={8}>
                <Text fw={600} component="h2" size="md">
                  {group.name}
                </Text>
                <Text size="sm" className="quiet">
                  {counted(group.userCount, 'person', 'people')}
                </Text>
                {group.rootRole !== undefined && (
                  <Badge variant="light" tt="none">
                    {rootRoles.find(({ id }) => id === group.rootRole)?.name} in the installation
                  </Badge>
                )}
                {group.mappingsSSO.length > 0 && (
                  <Badge variant="outline" color="gray" tt="none">
                    follows {group.mappingsSSO.join(', ')}
                  </Badge>
                )}
              </Group>
              <Text size="sm" className="quiet">
                {group.description}
              </Text>
            </div>
            <Group gap={4} wrap="nowrap">
              <RefusableIcon
                refusal={undefined}
                label={`Change ${group.name}`}
                variant="subtle"
                color="gray"
                onClick={() => setEditing(group)}
              >
                <IconPencil size={16} aria-hidden />
              </RefusableIcon>
              <RefusableIcon
                refusal={undefined}
                label={`Delete ${group.name}`}
                variant="subtle"
                color="gray"
                onClick={() => setDeleting(group)}
              >
                <IconTrash size={16} aria-hidden />
              </RefusableIcon>
            </Group>
          </Group>
          <Group gap="xs">
            {group.users.slice(0, namedMembers).map(({ user }) => (
              <PageLink
                key={user.id}
                to="/admin/users/$userId"
                params={{ userId: String(user.id) }}
                size="sm"
              >
                {nameOfAccount(user)}
              </PageLink>
            ))}
            {group.users.length > namedMembers && (
              <Text size="sm" className="quiet">
                and {group.users.length - namedMembers} more
              </Text>
            )}
            {group.users.length === 0 && (
              <Text size="sm" className="quiet">
                Nobody is in it yet.
              </Text>
            )}
          </Group>
          <Text size="sm" className="quiet" component="div">
            {group.projects.length === 0 ? (
              'It has no role in a project.'
            ) : (
              <Group gap="xs">
                Roles in
                {group.projects.map((id) => (
                  <PageLink
                    key={id}
                    to="/projects/$projectId/settings/access"
                    params={{ projectId: id }}
                    size="sm"
                  >
                    {projects.find((project) => project.id === id)?.name ?? id}
                  </PageLink>
                ))}
              </Group>
            )}
          </Text>
        </Stack>
      ))}
      {editing && (
        <GroupForm group={editing} onSaved={refresh} onClose={() => setEditing(undefined)} />
      )}
      {deleting && (
        <Confirm
          title={`Delete the group ${deleting.name}?`}
          action="Delete group"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await api('DELETE /api/admin/groups/:groupId', {
              params: { groupId: String(deleting.id) },
            });
            await refresh();
            tellDone({ id: 'group deleted', title: `The group ${deleting.name} is gone` });
          }}
        >
          <Text size="sm">
            {counted(deleting.userCount, 'person', 'people')} lose what the group gave them
            {deleting.projects.length > 0 && `, in ${counted(deleting.projects.length, 'project')}`}
            . This cannot be undone.
          </Text>
        </Confirm>
      )}
    </>
  );
}
