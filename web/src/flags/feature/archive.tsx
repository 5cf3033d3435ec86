import { Alert, List, Stack, Text } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { joinAnd } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Impact } from '../impact.tsx';
import { refreshFeature } from './edits.ts';
import { useFeatureView } from './view.ts';

/** Asks before archiving, and says what prevents it and what else is removed. */
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
  const production = feature.environments.filter(
    ({ enabled, type }) => enabled && type === 'production',
  );
  const on = feature.environments.filter(({ enabled }) => enabled).map(({ name }) => name);
  return (
    <Confirm
      title={`Archive ${feature.name}?`}
      action="Archive feature"
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
          <Alert color="red" title="Other features depend on this one">
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
          <Alert
            {...(production.length > 0
              ? { color: 'orange', icon: <IconShieldLock aria-hidden /> }
              : { color: 'yellow' })}
          >
            Enabled in {joinAnd(on)}. SDKs will evaluate it as disabled for everyone.
            {production.map(({ name }) => (
              <Impact key={name} feature={feature.name} environment={name} isNamed />
            ))}
          </Alert>
        )}
        {check.data?.hasDeletedDependencies && (
          <Text size="sm">Its dependencies will be removed.</Text>
        )}
        <Text size="sm">
          Strategies and events are kept. You can revive it later; it comes back disabled in every
          environment.
        </Text>
      </Stack>
    </Confirm>
  );
}

/** Asks before an archived feature is deleted permanently. */
export function DeleteQuestion({ onClose }: { readonly onClose: () => void }) {
  const { feature, project } = useFeatureView();
  const navigate = useNavigate();
  return (
    <Confirm
      title={`Delete ${feature.name} permanently?`}
      action="Delete permanently"
      typed={feature.name}
      onClose={onClose}
      onConfirm={async () => {
        await api('DELETE /api/admin/archive/:featureName', {
          params: { featureName: feature.name },
        });
        await navigate({ to: '/projects/$projectId', params: { projectId: project } });
        await refreshFeature();
        tellDone({ id: `${feature.name} archived`, title: `${feature.name} deleted` });
      }}
    >
      <Text size="sm">
        Deletes its strategies, usage data, and tags. This can't be undone. Events stay in the event
        log.
      </Text>
    </Confirm>
  );
}
