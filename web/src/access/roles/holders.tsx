import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { moreText, plural } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { nameOfAccount } from '../account-words.ts';
import { Section } from '../section.tsx';
import { isOfProject, type Role } from './role-draft.ts';

/** So many names are listed; the page of people has all of them. */
const most = 30;

/** Who has a role: people, service accounts and groups, or the projects in which it is given. */
export const Holders = ({ role }: { readonly role: Role }) => (
  <Section title="Who has it">
    {isOfProject(role) ? <InProjects roleId={role.id} /> : <InInstallation role={role} />}
  </Section>
);

function InProjects({ roleId }: { readonly roleId: number }) {
  const usage = useQuery(
    read('GET /api/admin/projects/roles/:roleId/access', { params: { roleId: String(roleId) } }),
  ).data?.projects;
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  const nameOf = (id: string) => projects?.find((project) => project.id === id)?.name ?? id;
  if (usage === undefined) return null;
  if (usage.length === 0) return <Text size="sm">Nobody has it in a project.</Text>;
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
            {[
              ...(userCount > 0 ? [plural(userCount, 'person', 'people')] : []),
              ...(serviceAccountCount > 0 ? [plural(serviceAccountCount, 'service account')] : []),
              ...(groupCount > 0 ? [plural(groupCount, 'group')] : []),
            ].join(', ')}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

function InInstallation({ role }: { readonly role: Role }) {
  const refusal = useRefusal('ADMIN');
  const enabled = refusal === undefined;
  const users = useQuery({ ...read('GET /api/admin/user-admin', {}), enabled }).data?.users;
  const accounts = useQuery({ ...read('GET /api/admin/service-account', {}), enabled }).data
    ?.serviceAccounts;
  const groups = useQuery({ ...read('GET /api/admin/groups', {}), enabled }).data?.groups;
  if (refusal !== undefined) return <Text size="sm">{refusal}</Text>;
  if (!users || !accounts || !groups) return null;
  const has = ({ rootRole }: { readonly rootRole?: number | undefined }) => rootRole === role.id;
  const people = [...users, ...accounts].filter(has);
  const ofRole = groups.filter(has);
  if (people.length + ofRole.length === 0) return <Text size="sm">Nobody has it.</Text>;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        {people.slice(0, most).map((account) => (
          <PageLink
            key={account.id}
            to="/admin/users/$userId"
            params={{ userId: String(account.id) }}
            size="sm"
          >
            {nameOfAccount(account)}
          </PageLink>
        ))}
        {people.length > most && (
          <PageLink to="/admin/users" search={{ role: role.id }} size="sm">
            {moreText(people.length - most)}
          </PageLink>
        )}
      </Group>
      {ofRole.map(({ id, name, userCount }) => (
        <Text key={id} size="sm">
          everybody in the group <b>{name}</b> ({plural(userCount, 'person', 'people')})
        </Text>
      ))}
    </Stack>
  );
}
