import { Badge, Button, Group, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { useProjectName } from '../../project-name.tsx';
import { invalidate, read } from '../../queries.ts';
import { DeleteConfirm } from '../../ui/delete-confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { moreText, plural } from '../../ui/format.ts';
import { GuardedIcon } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { List, Row } from '../../ui/list.tsx';
import { listSearch } from '../../ui/list-search.ts';
import { Page } from '../../ui/page.tsx';
import { nameOfAccount } from '../account-words.ts';
import { GroupForm, groupReads, type TeamGroup } from './group-form.tsx';
import { groupLoss } from './group-loss.ts';

const route = getRouteApi('/shell/admin/groups');

/** Groups of users who get roles together. */
export function Groups() {
  const refusal = useRefusal('ADMIN');
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Groups"
      lead="Grant roles to several users at once. Members gain the group's roles when they join and lose them when they leave."
      refusal={refusal}
      action={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          New group
        </Button>
      }
    >
      <GroupList />
      {isCreating && <GroupForm group={undefined} onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** More members are counted. */
const namedMembers = 12;

function GroupList() {
  const { groups } = useSuspenseQuery(read('GET /api/admin/groups', {})).data;
  const { rootRoles } = useSuspenseQuery(read('GET /api/admin/user-admin', {})).data;
  const nameOfProject = useProjectName();
  const archivedQuery = read('GET /api/admin/projects', { query: { archived: 'true' } });
  const archived = useQuery(archivedQuery).data?.projects;
  const { query = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [editing, setEditing] = useState<TeamGroup>();
  const [deleting, setDeleting] = useState<TeamGroup>();
  return (
    <>
      <List
        what="groups"
        items={groups}
        textOf={({ name, description, users }) =>
          [name, description, ...users.map(({ user }) => nameOfAccount(user))].join(' ')
        }
        query={query}
        onQuery={(text) => void navigate({ search: listSearch(text), replace: true })}
        empty={
          <EmptyState title="No groups yet">
            Create a group per team and grant it roles in the team's projects. Groups can also sync
            from your identity provider.
          </EmptyState>
        }
      >
        {(group) => (
          <Row
            key={group.id}
            name={group.name}
            badges={
              <>
                <Text size="sm" className="quiet">
                  {plural(group.userCount, 'member')}
                </Text>
                {group.rootRole !== undefined && (
                  <Badge size="sm" variant="light" tt="none">
                    Root role: {rootRoles.find(({ id }) => id === group.rootRole)?.name}
                  </Badge>
                )}
                {group.mappingsSSO.length > 0 && (
                  <Badge size="sm" variant="outline" color="gray" tt="none">
                    Synced from {group.mappingsSSO.join(', ')}
                  </Badge>
                )}
              </>
            }
            note={group.description || undefined}
            actions={
              <>
                <GuardedIcon
                  icon={IconPencil}
                  refusal={undefined}
                  label={`Edit ${group.name}`}
                  onClick={() => setEditing(group)}
                />
                <GuardedIcon
                  icon={IconTrash}
                  refusal={undefined}
                  label={`Delete ${group.name}`}
                  onClick={() => setDeleting(group)}
                />
              </>
            }
          >
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
                  {moreText(group.users.length - namedMembers)}
                </Text>
              )}
              {group.users.length === 0 && (
                <Text size="sm" className="quiet">
                  No members yet
                </Text>
              )}
            </Group>
            <Text size="sm" className="quiet" component="div">
              {group.projects.length === 0 ? (
                'No project roles'
              ) : (
                <Group gap="xs">
                  Projects:
                  {group.projects.map((id) => {
                    const old = archived?.find((project) => project.id === id);
                    return old ? (
                      <span key={id}>{old.name} (archived)</span>
                    ) : (
                      <PageLink
                        key={id}
                        to="/projects/$projectId/settings/access"
                        params={{ projectId: id }}
                        size="sm"
                      >
                        {nameOfProject(id)}
                      </PageLink>
                    );
                  })}
                </Group>
              )}
            </Text>
          </Row>
        )}
      </List>
      {editing && <GroupForm group={editing} onClose={() => setEditing(undefined)} />}
      {deleting && (
        <DeleteConfirm
          kind="group"
          name={deleting.name}
          onClose={() => setDeleting(undefined)}
          onDelete={async () => {
            await api('DELETE /api/admin/groups/:groupId', {
              params: { groupId: String(deleting.id) },
            });
            await invalidate(...groupReads);
          }}
        >
          {groupLoss(deleting)}
        </DeleteConfirm>
      )}
    </>
  );
}
