import { Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Me, useMe } from '../me.ts';
import { read } from '../queries.ts';
import { PageLink } from '../ui/link.tsx';
import classes from './access.module.css';
import { Section } from './section.tsx';

const profileQuery = read('GET /api/admin/user/profile', {});

type Held = Me['permissions'][number];

const scopeOf = ({ project, environment }: Held): string => {
  const where = project === undefined || project === '*' ? 'Everywhere' : `In ${project}`;
  return environment ? `${where}, in ${environment}` : where;
};

/** What somebody may do, and where. */
export function OwnAccess() {
  const { permissions } = useMe();
  const { rootRole, projects } = useSuspenseQuery(profileQuery).data;
  const names = new Map(
    useQuery(read('GET /api/admin/projects', {})).data?.projects.map(({ id, name }) => [id, name]),
  );
  const [text, setText] = useState('');
  const isAdministrator = permissions.some(({ permission }) => permission === 'ADMIN');
  const matching = permissions.filter((held) =>
    `${held.permission} ${scopeOf(held)}`.toLowerCase().includes(text.toLowerCase()),
  );
  const scopes = [...Map.groupBy(matching, scopeOf)].sort(([a], [b]) => a.localeCompare(b));
  return (
    <Stack>
      <Section title="Your role" lead={rootRole.description}>
        <Text fw={600}>{rootRole.name}</Text>
      </Section>
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
      <Section title="Your permissions">
        {isAdministrator ? (
          <Text size="sm">You are an administrator, and may do everything.</Text>
        ) : (
          <>
            <TextInput
              data-search
              aria-label="Search permissions"
              placeholder="Search permissions"
              maw={320}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
            {scopes.length === 0 && (
              <Text size="sm">
                {text === ''
                  ? 'You may read. A role gives you more: ask an administrator.'
                  : 'None of your permissions matches.'}
              </Text>
            )}
            {scopes.map(([scope, held]) => (
              <div key={scope}>
                <Text size="sm" fw={600} mb={4}>
                  {scope}
                </Text>
                <Group gap={6} className={classes.permissions}>
                  {[...new Set(held.map(({ permission }) => permission))].sort().map((each) => (
                    <Badge key={each} variant="default" tt="none" fw={500}>
                      {each}
                    </Badge>
                  ))}
                </Group>
              </div>
            ))}
          </>
        )}
      </Section>
    </Stack>
  );
}
