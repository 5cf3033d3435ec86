import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api.ts';
import { useProjectName } from '../../project-name.tsx';
import { read } from '../../queries.ts';
import { featureNamesQuery } from '../../shell/palette/feature-names.ts';
import { notFound } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { MissingPage, PageProblem } from '../../ui/page-problem.tsx';
import { NewFeatureButton } from '../create/new-feature.tsx';

export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 404;

interface Props {
  readonly projectId: string;
  readonly featureName: string;
  readonly error: unknown;
}

/** Says where a feature is now: bookmarks and links in the event log name its former project. */
export function FeatureNotThere({ projectId, featureName, error }: Props) {
  const nameOf = useProjectName();
  const names = useQuery({ ...featureNamesQuery, enabled: isMissing(error) });
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  if (!isMissing(error)) return <PageProblem error={error} />;
  const found = names.data?.features.find(({ name }) => name === featureName);
  if (names.isPending || !projects) return null;
  if (!found && projects.every(({ id }) => id !== projectId)) {
    return <MissingPage message={notFound('Project', projectId)} />;
  }
  return (
    <Stack>
      <Title order={1} size="h2" className="long-name">
        {featureName}
      </Title>
      {found && found.project !== projectId ? (
        <Alert color="yellow" title={`This feature is in ${nameOf(found.project)}`}>
          <PageLink
            to="/projects/$projectId/features/$featureName"
            params={{ projectId: found.project, featureName }}
          >
            Open {featureName} in {nameOf(found.project)}
          </PageLink>
        </Alert>
      ) : (
        <Alert color="yellow" title={`Feature not found in ${nameOf(projectId)}`}>
          <Stack gap="sm" align="flex-start">
            <Text size="sm">
              It may have been deleted or moved to a project you can't access, or the URL may be
              wrong.
            </Text>
            <Group gap="md">
              <NewFeatureButton project={projectId} name={featureName} label="Create feature" />
              <PageLink to="/projects/$projectId" params={{ projectId }} size="sm">
                All features in {nameOf(projectId)}
              </PageLink>
              <PageLink to="/history" search={{ q: `feature:${featureName}` }} size="sm">
                View event log
              </PageLink>
            </Group>
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}
