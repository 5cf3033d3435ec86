import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { FeatureBrowser } from '../../flags/list/feature-browser.tsx';
import type { FeatureAddress } from '../../flags/list/search.ts';

const route = getRouteApi('/shell/projects/$projectId/');

/** The features of one project. */
export function ProjectFeatures() {
  const { projectId } = route.useParams();
  const address = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (next: FeatureAddress) => void navigate({ search: next, replace: true }),
    [navigate],
  );
  return <FeatureBrowser address={address} onChange={change} project={projectId} />;
}
