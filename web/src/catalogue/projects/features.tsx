import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { FeatureFilters } from '../../flags/feature-filters.tsx';
import { FeatureList } from '../../flags/feature-list.tsx';
import type { FeatureSearch } from '../../flags/search.ts';

const route = getRouteApi('/shell/projects/$projectId/');

/** The features of one project. */
export function ProjectFeatures() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (next: FeatureSearch) => void navigate({ search: next, replace: true }),
    [navigate],
  );
  return (
    <>
      <FeatureFilters search={search} onChange={change} />
      <FeatureList search={search} project={projectId} />
    </>
  );
}
