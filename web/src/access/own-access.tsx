import { Group, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../queries.ts';
import { PageLink } from '../ui/link.tsx';
import type { PersonSearch } from './admin-search.ts';
import { ExplainedPermissions } from './people/explained.tsx';
import { Section } from './section.tsx';

const profileQuery = read('GET /api/admin/user/profile', {});
const accessQuery = read('GET /api/admin/user/access', {});

/** What somebody may do themselves, where, and through what. */
export function OwnAccess() {
  const { projects } = useSuspenseQuery(profileQuery).data;
  const explained = useSuspenseQuery(accessQuery).data;
  const [search, setSearch] = useState<PersonSearch>({});
  const names = new Map(
    useQuery(read('GET /api/admin/projects', {})).data?.projects.map(({ id, name }) => [id, name]),
  );
  return (
    <Stack>
      <Section title="Your projects">
        {projects.length === 0 ? (
          <Text size="sm">
            You have no role in a project yet. The owner of a project can make you a member.
          </Text>
        ) : (
          <Group gap="xs">
            {projects.map((id) => (
              <PageLink key={id} to="/projects/$projectId" params={{ projectId: id }} size="sm">
                {names.get(id) ?? id}
              </PageLink>
            ))}
          </Group>
        )}
      </Section>
      <ExplainedPermissions explained={explained} who="You" search={search} onSearch={setSearch} />
    </Stack>
  );
}
