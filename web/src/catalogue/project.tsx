import { Breadcrumbs, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { FeatureFilters } from '../flags/feature-filters.tsx';
import { FeatureList } from '../flags/feature-list.tsx';
import type { FeatureSearch } from '../flags/search.ts';
import { read } from '../queries.ts';
import { PageLink } from '../ui/link.tsx';
import { Problem } from '../ui/problem.tsx';

const route = getRouteApi('/shell/projects/$projectId');

/** One project: its features. */
export function Project() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const overview = useQuery(
    read('GET /api/admin/projects/:projectId/overview', { params: { projectId } }),
  );
  const change = useCallback(
    (next: FeatureSearch) => void navigate({ search: next, replace: true }),
    [navigate],
  );
  if (overview.isError) return <Problem error={overview.error} />;
  const project = overview.data;
  return (
    <>
      <Breadcrumbs mb={4}>
        <PageLink to="/projects" size="sm">
          Projects
        </PageLink>
      </Breadcrumbs>
      <Group justify="space-between" mb="md">
        <div>
          <Title order={1} size="h2">
            {project?.name ?? projectId}
          </Title>
          <Text size="sm" className="quiet tabular">
            {project && `${project.health} % health · ${project.members} members`}
          </Text>
        </div>
        <PageLink to="/history" search={{ project: `IS:${projectId}` }} size="sm">
          What happened here
        </PageLink>
      </Group>
      <FeatureFilters search={search} onChange={change} />
      <FeatureList search={search} project={projectId} />
    </>
  );
}
