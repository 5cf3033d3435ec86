import { Alert, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { PageLink } from '../../ui/link.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { refreshFeature } from './edits.ts';
import { useFeatureView } from './view.ts';

/** Asks before archiving, and says what stands in the way or goes with it. */
export function ArchiveQuestion({ onClose }: { readonly onClose: () => void }) {
  const { feature, project } = useFeatureView();
  const check = useQuery({
    queryKey: ['POST /api/admin/projects/:projectId/archive/validate', feature.name],
    queryFn: () =>
      api('POST /api/admin/projects/:projectId/archive/validate', {
        params: { projectId: project },
        body: { features: [feature.name] },
      }),
    staleTime: 0,
  });
  const isParent = (check.data?.parentsWithChildFeatures.length ?? 0) > 0;
  const on = feature.environments.filter(({ enabled }) => enabled).map(({ name }) => name);
  return (
    <Confirm
      title={`Archive ${feature.name}?`}
      action="Archive"
      onClose={onClose}
      onConfirm={async () => {
        await api('DELETE /api/admin/projects/:projectId/features/:featureName', {
          params: { projectId: project, featureName: feature.name },
        });
        await refreshFeature();
        tellDone({
          id: `${feature.name} archived`,
          title: `${feature.name} archived`,
          undo: async () => {
            await api('POST /api/admin/archive/revive/:featureName', {
              params: { featureName: feature.name },
            });
            await refreshFeature();
          },
        });
      }}
    >
      <Stack gap="sm">
        {isParent && (
          <Alert color="red" title="Other features depend on it">
            <Text size="sm" mb={4}>
              Remove these dependencies first:
            </Text>
            <List size="sm">
              {feature.children.map((child) => (
                <List.Item key={child}>
                  <PageLink
                    to="/projects/$projectId/features/$featureName"
                    params={{ projectId: project, featureName: child }}
                  >
                    {child}
                  </PageLink>
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        {on.length > 0 && (
          <Alert color="yellow">
            It is on in {on.join(', ')}. SDKs will say that it is off for everybody.
          </Alert>
        )}
        {check.data?.hasDeletedDependencies && (
          <Text size="sm">Its own dependencies are removed with it.</Text>
        )}
        <Text size="sm">
          Its strategies and its history stay. It can be revived, off in every environment.
        </Text>
      </Stack>
    </Confirm>
  );
}

/** Asks before an archived feature is gone for ever. */
export function DeleteQuestion({ onClose }: { readonly onClose: () => void }) {
  const { feature, project } = useFeatureView();
  const navigate = useNavigate();
  return (
    <Confirm
      title={`Delete ${feature.name} for ever?`}
      action="Delete"
      typed={feature.name}
      onClose={onClose}
      onConfirm={async () => {
        await api('DELETE /api/admin/archive/:featureName', {
          params: { featureName: feature.name },
        });
        await navigate({ to: '/projects/$projectId', params: { projectId: project } });
        await refreshFeature();
      }}
    >
      <Text size="sm">
        Its strategies, its usage and its tags are lost. The log of its events stays.
      </Text>
    </Confirm>
  );
}
