import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRefusal } from '../../me.ts';
import { useProjectName } from '../../project-name.tsx';
import { read } from '../../queries.ts';
import { joinAnd, moreText, plural } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import { nameOfAccount } from '../account-words.ts';
import { Section } from '../section.tsx';
import { assignedReason, holderCounts } from './assigned.ts';
import { isOfProject, type Role } from './role-draft.ts';

/** More names are on the page of users. */
const most = 30;

/** Who has a role: users, service accounts and groups, or the projects in which it is granted. */
export const Holders = ({ role }: { readonly role: Role }) => (
  <Section title="Assigned to">
    {isOfProject(role) ? <InProjects roleId={role.id} /> : <InInstance role={role} />}
  </Section>
);

/** The projects in which a project role is granted, or none for a root role. */
const useProjectsOf = (role: Pick<Role, 'id' | 'type'>) =>
  useQuery({
    ...read('GET /api/admin/projects/roles/:roleId/access', {
      params: { roleId: String(role.id) },
    }),
    enabled: isOfProject(role),
  });

/** Everyone with a root role, for admins. */
function useHoldersOf(role: Pick<Role, 'id' | 'type'>) {
  const isAdmin = useRefusal('ADMIN') === undefined;
  const enabled = isAdmin && !isOfProject(role);
  const users = useQuery({ ...read('GET /api/admin/user-admin', {}), enabled }).data?.users;
  const accounts = useQuery({ ...read('GET /api/admin/service-account', {}), enabled }).data
    ?.serviceAccounts;
  const groups = useQuery({ ...read('GET /api/admin/groups', {}), enabled }).data?.groups;
  if (!users || !accounts || !groups) return undefined;
  const has = ({ rootRole }: { readonly rootRole?: number | undefined }) => rootRole === role.id;
  return {
    users: users.filter(has),
    serviceAccounts: accounts.filter(has),
    groups: groups.filter(has),
  };
}

/** Why a role can't be deleted; undefined if it can. */
export function useDeleteRefusal(role: Pick<Role, 'id' | 'type'>): string | undefined {
  const projects = useProjectsOf(role).data?.projects;
  const holders = useHoldersOf(role);
  const unknown = 'Checking who has this role';
  if (isOfProject(role)) {
    return projects ? assignedReason({ projects: projects.length }) : unknown;
  }
  return holders
    ? assignedReason({
        users: holders.users.length,
        serviceAccounts: holders.serviceAccounts.length,
        groups: holders.groups.length,
      })
    : unknown;
}

function InProjects({ roleId }: { readonly roleId: number }) {
  const usage = useProjectsOf({ id: roleId, type: 'custom' }).data?.projects;
  const nameOf = useProjectName();
  if (usage === undefined) return null;
  if (usage.length === 0) return <Text size="sm">Not assigned in any project</Text>;
  return (
    <Stack gap={6}>
      {usage.map(({ project, userCount, serviceAccountCount, groupCount }) => (
        <Group key={project} gap="sm">
          <PageLink
            to="/projects/$projectId/settings/access"
            params={{ projectId: project }}
            size="sm"
            fw={600}
          >
            {nameOf(project)}
          </PageLink>
          <Text size="sm" className="quiet">
            {joinAnd(
              holderCounts({
                users: userCount,
                serviceAccounts: serviceAccountCount,
                groups: groupCount,
              }),
            )}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

function InInstance({ role }: { readonly role: Role }) {
  const refusal = useRefusal('ADMIN');
  const holders = useHoldersOf(role);
  if (refusal !== undefined) {
    return (
      <Text size="sm">
        <WithCode text={refusal} />
      </Text>
    );
  }
  if (!holders) return null;
  const accounts = [...holders.users, ...holders.serviceAccounts];
  if (accounts.length + holders.groups.length === 0) {
    return <Text size="sm">Not assigned to anyone</Text>;
  }
  return (
    <Stack gap="xs">
      <Group gap="sm">
        {accounts.slice(0, most).map((account) => (
          <PageLink
            key={account.id}
            to="/admin/users/$userId"
            params={{ userId: String(account.id) }}
            size="sm"
          >
            {nameOfAccount(account)}
          </PageLink>
        ))}
        {accounts.length > most && (
          <PageLink to="/admin/users" search={{ role: role.id }} size="sm">
            {moreText(accounts.length - most)}
          </PageLink>
        )}
      </Group>
      {holders.groups.map(({ id, name, userCount }) => (
        <Text key={id} size="sm">
          Group <b>{name}</b> · {plural(userCount, 'member')}
        </Text>
      ))}
    </Stack>
  );
}
