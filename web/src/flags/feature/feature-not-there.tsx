import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api.ts';
import { useProjectNames } from '../../project-names.ts';
import { featureNamesQuery } from '../../shell/palette/palette.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Problem } from '../../ui/problem.tsx';
import { NewFeatureButton } from '../create/new-feature.tsx';

export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 404;

interface Props {
  readonly projectId: string;
  readonly featureName: string;
  readonly error: unknown;
}

/** Says where a feature was moved: bookmarks and links in the event log name its former project. */
export function FeatureNotThere({ projectId, featureName, error }: Props) {
  const names = useQuery({ ...featureNamesQuery, enabled: isMissing(error) });
  const projectName = useProjectNames();
  if (!isMissing(error)) return <Problem error={error} />;
  const found = names.data?.features.find(({ name }) => name === featureName);
  if (names.isPending) return null;
  return (
    <Stack>
      <Title order={1} size="h2" className="long-name">
        {featureName}
      </Title>
      {found && found.project !== projectId ? (
        <Alert color="yellow" title={`Moved to project ${projectName(found.project)}`}>
          <PageLink
            to="/projects/$projectId/features/$featureName"
            params={{ projectId: found.project, featureName }}
          >
            Open {featureName} in {projectName(found.project)}
          </PageLink>
        </Alert>
      ) : (
        <Alert color="yellow" title={`Feature not found in ${projectName(projectId)}`}>
          <Stack gap="sm" align="flex-start">
            <Text size="sm">
              It may have been deleted, moved to a project you can't access, or the URL is wrong.
            </Text>
            <Group gap="md">
              <NewFeatureButton project={projectId} name={featureName} label="Create feature" />
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
