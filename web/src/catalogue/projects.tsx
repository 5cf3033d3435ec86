import { Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { read } from '../queries.ts';
import { PageLink } from '../ui/link.tsx';
import classes from './catalogue.module.css';

/** The projects that somebody may see, with their health. */
export function Projects() {
  const { projects } = useSuspenseQuery(read('GET /api/admin/projects', {})).data;
  return (
    <>
      <Title order={1} size="h2" mb="md">
        Projects
      </Title>
      <ul className={classes.projects}>
        {projects.map(({ id, name, description, health, featureCount, memberCount, mode }) => (
          <li key={id} className="card">
            <Stack p="md" gap="xs">
              <Group justify="space-between" wrap="nowrap">
                <PageLink to="/projects/$projectId" params={{ projectId: id }} fw={600} truncate>
                  {name}
                </PageLink>
                {mode !== 'open' && (
                  <Text size="xs" className="quiet">
                    {mode}
                  </Text>
                )}
              </Group>
              {description && (
                <Text size="sm" className="quiet" lineClamp={2}>
                  {description}
                </Text>
              )}
              <Group gap="xs" wrap="nowrap">
                <Progress
                  value={health}
                  flex={1}
                  color={health < 60 ? 'yellow' : 'teal'}
                  aria-label={`Health ${health} %`}
                />
                <Text size="xs" className="tabular">
                  {health} %
                </Text>
              </Group>
              <Text size="xs" className="quiet tabular">
                {featureCount} {featureCount === 1 ? 'feature' : 'features'} · {memberCount}{' '}
                {memberCount === 1 ? 'member' : 'members'}
              </Text>
            </Stack>
          </li>
        ))}
      </ul>
    </>
  );
}
