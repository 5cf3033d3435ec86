import { Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { FeatureFilters } from './feature-filters.tsx';
import { FeatureList } from './feature-list.tsx';
import type { FeatureSearch } from './search.ts';

const route = getRouteApi('/shell/search');

/** The features of all projects that somebody may see. */
export function Features() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (next: FeatureSearch) => void navigate({ search: next, replace: true }),
    [navigate],
  );
  return (
    <>
      <Title order={1} size="h2" mb="md">
        Features
      </Title>
      <FeatureFilters search={search} onChange={change} />
      <FeatureList search={search} />
    </>
  );
}
