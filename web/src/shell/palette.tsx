import { Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { read } from '../queries.ts';

const [store, palette] = createSpotlight();

/** Finds features and projects, and goes to pages. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [query] = useDebouncedValue(text, 60);
  useEffect(palette.open, []);

  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const found = useQuery({
    ...read('GET /api/admin/search/features', {
      query: { query, limit: '20', favoritesFirst: 'true' },
    }),
    placeholderData: keepPreviousData,
  }).data;

  const isMeant = (label: string) => label.toLowerCase().includes(query.toLowerCase());
  const pages: SpotlightActionData[] = [
    { id: 'home', label: 'Home', onClick: () => void navigate({ to: '/' }) },
    { id: 'features', label: 'Features', onClick: () => void navigate({ to: '/search' }) },
    { id: 'projects', label: 'Projects', onClick: () => void navigate({ to: '/projects' }) },
    {
      id: 'new feature',
      label: 'New feature',
      onClick: () =>
        void navigate({
          to: '/projects/$projectId/create-toggle',
          params: { projectId: projects.find(({ favorite }) => favorite)?.id ?? 'default' },
        }),
    },
    { id: 'events', label: 'Event log', onClick: () => void navigate({ to: '/history' }) },
  ];

  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Features',
      actions: (found?.features ?? []).map(({ name, project }) => ({
        id: `feature ${name}`,
        label: name,
        description: project,
        onClick: () =>
          void navigate({
            to: '/projects/$projectId/features/$featureName',
            params: { projectId: project, featureName: name },
          }),
      })),
    },
    {
      group: 'Projects',
      actions: projects
        .filter(({ id, name }) => isMeant(name) || isMeant(id))
        .slice(0, 8)
        .map(({ id, name }) => ({
          id: `project ${id}`,
          label: name,
          description: id,
          onClick: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
        })),
    },
    { group: 'Pages', actions: pages.filter(({ label = '' }) => isMeant(label)) },
  ];

  return (
    <Spotlight
      store={store}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      // The server and the lines above have filtered already.
      filter={(_, all) => all}
      query={text}
      onQueryChange={setText}
      onSpotlightClose={onClose}
      nothingFound={
        <Group justify="center">
          <Text className="quiet">Nothing has this name</Text>
        </Group>
      }
      searchProps={{ placeholder: 'Features, projects, pages…', 'aria-label': 'Search or do' }}
      transitionProps={{ duration: 0 }}
      overlayProps={{ transitionProps: { duration: 0 } }}
      scrollable
      maxHeight={440}
      shortcut={null}
    />
  );
}
