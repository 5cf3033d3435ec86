import { Group, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useProjectName } from '../project-name.tsx';
import { read } from '../queries.ts';
import { PageLink } from '../ui/link.tsx';
import type { PersonSearch } from './admin-search.ts';
import { ExplainedPermissions } from './people/explained.tsx';
import { Section } from './section.tsx';

const profileQuery = read('GET /api/admin/user/profile', {});
const accessQuery = read('GET /api/admin/user/access', {});

/** The user's own projects, roles and permissions. */
export function OwnAccess() {
  const { projects } = useSuspenseQuery(profileQuery).data;
  const explained = useSuspenseQuery(accessQuery).data;
  const [search, setSearch] = useState<PersonSearch>({});
  const nameOf = useProjectName();
  return (
    <Stack>
      <Section title="Your projects">
        {projects.length === 0 ? (
          <Text size="sm">
            You're not a member of any project yet. Ask a project owner to add you.
          </Text>
        ) : (
          <Group gap="xs">
            {projects.map((id) => (
              <PageLink key={id} to="/projects/$projectId" params={{ projectId: id }} size="sm">
                {nameOf(id)}
              </PageLink>
            ))}
          </Group>
        )}
      </Section>
      <ExplainedPermissions explained={explained} search={search} onSearch={setSearch} />
    </Stack>
  );
}
