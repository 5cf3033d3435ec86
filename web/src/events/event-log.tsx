import { Group, Select, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { read } from '../queries.ts';
import { EventList } from './event-list.tsx';
import type { EventQuery } from './search.ts';

const route = getRouteApi('/shell/history');

const pauseMs = 200;

/** `IS:web-shop` of an address as the value of a field, and back. */
const chosenIn = (filter: string | undefined) => filter?.replace(/^IS:/, '') ?? null;
const filterOf = (value: string | null) => (value ? `IS:${value}` : undefined);

/** The log of the installation, as far as somebody may see it. */
export function EventLog() {
  const query = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(query.query ?? '');
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const creators = useQuery(read('GET /api/admin/event-creators', {})).data ?? [];
  const change = (part: Partial<Record<keyof EventQuery, string | undefined>>) =>
    void navigate({ search: (before) => ({ ...before, ...part }) as EventQuery, replace: true });

  useEffect(() => setText(query.query ?? ''), [query.query]);
  useEffect(() => {
    if (text === (query.query ?? '')) return;
    const timer = setTimeout(() => {
      void navigate({
        search: (before) => ({ ...before, query: text || undefined }) as EventQuery,
        replace: true,
      });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, query.query, navigate]);

  return (
    <>
      <Title order={1} size="h2" mb="md">
        Event log
      </Title>
      <Group gap="sm" mb="md" role="search" aria-label="Events">
        <TextInput
          data-search
          aria-label="Search events"
          placeholder="Search in what happened"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          flex={1}
          miw={220}
        />
        <Select
          aria-label="Project"
          placeholder="All projects"
          clearable
          searchable
          w={180}
          data={projects.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosenIn(query.project)}
          onChange={(project) => change({ project: filterOf(project) })}
        />
        <Select
          aria-label="Environment"
          placeholder="Any environment"
          clearable
          w={170}
          data={environments.map(({ name }) => name)}
          value={chosenIn(query.environment)}
          onChange={(environment) => change({ environment: filterOf(environment) })}
        />
        <Select
          aria-label="Who"
          placeholder="Anybody"
          clearable
          searchable
          w={170}
          data={[...new Set(creators.map(({ name }) => name))]}
          value={chosenIn(query.createdBy)}
          onChange={(name) => change({ createdBy: filterOf(name) })}
        />
      </Group>
      <EventList query={query} withTotal />
    </>
  );
}
