import { Badge, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { useRefusal } from '../../../me.ts';
import { invalidate, read } from '../../../queries.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { plural } from '../../../ui/format.ts';
import { GuardedSwitch } from '../../../ui/guarded.tsx';
import { PageLink } from '../../../ui/link.tsx';
import { tellDone, tellProblem } from '../../../ui/notices.tsx';
import classes from '../projects.module.css';
import { SettingsHead } from './settings-head.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/environments');

const refresh = () =>
  invalidate(
    'GET /api/admin/environments/project/:projectId',
    'GET /api/admin/environments',
    'GET /api/admin/projects/:projectId/overview',
    'GET /api/admin/search/features',
  );

/** Which environments a project uses. Leaving one removes what its features have in it, so that asks first. */
export function ProjectEnvironments() {
  const { projectId } = route.useParams();
  const params = { projectId };
  const all = useSuspenseQuery(read('GET /api/admin/environments', {})).data.environments;
  const used = useSuspenseQuery(read('GET /api/admin/environments/project/:projectId', { params }))
    .data.environments;
  const overview = useQuery(read('GET /api/admin/projects/:projectId/overview', { params })).data;
  const mayNot = useRefusal('UPDATE_PROJECT', { project: projectId });
  const [left, setLeft] = useState<string>();
  const features = (overview?.featureTypeCounts ?? []).reduce((sum, { count }) => sum + count, 0);
  const leaving = used.find(({ name }) => name === left);

  const remove = async (environment: string) => {
    await api('DELETE /api/admin/projects/:projectId/environments/:environment', {
      params: { projectId, environment },
    });
    await refresh();
  };
  const add = useMutation({
    mutationFn: (environment: string) =>
      api('POST /api/admin/projects/:projectId/environments', { params, body: { environment } }),
    onSuccess: async (_, environment) => {
      await refresh();
      // Undoing loses nothing: no feature has anything in it yet.
      tellDone({
        id: `environment ${environment}`,
        title: `${environment} added to the project`,
        undo: () => remove(environment),
      });
    },
    onError: (error, environment) => tellProblem(`add ${environment}`, error),
  });

  return (
    <Stack className={classes.form}>
      <SettingsHead title="Environments">
        Features of the project can be switched on in these environments, and SDKs ask with a token
        of one of them.
      </SettingsHead>
      <ul className={`card ${classes.findings}`}>
        {all.map(({ name, type, enabled }) => {
          const state = used.find((each) => each.name === name);
          const refusal =
            mayNot ??
            (state && used.length === 1 ? 'A project needs at least one environment.' : undefined);
          return (
            <li key={name} className={classes.setting}>
              <div>
                <Group gap={8}>
                  <Text fw={600}>{name}</Text>
                  {type !== name && (
                    <Badge size="sm" variant="outline" color="gray" tt="none">
                      {type}
                    </Badge>
                  )}
                  {!enabled && (
                    <Badge size="sm" variant="light" color="yellow" tt="none">
                      disabled in the installation
                    </Badge>
                  )}
                </Group>
                <Text size="sm" className="quiet tabular">
                  {state
                    ? `${plural(state.projectEnabledToggleCount, 'feature')} on · ${plural(state.projectApiTokenCount, 'token')}`
                    : 'Not used by this project'}
                </Text>
                {state && (
                  <PageLink
                    to="/projects/$projectId/settings/default-strategy"
                    params={params}
                    hash={name}
                    size="sm"
                  >
                    Default strategy
                  </PageLink>
                )}
              </div>
              <GuardedSwitch
                aria-label={`Use ${name}`}
                checked={state !== undefined || (add.isPending && add.variables === name)}
                refusal={refusal}
                onChange={() => {
                  if (state) setLeft(name);
                  else if (!add.isPending) add.mutate(name);
                }}
              />
            </li>
          );
        })}
      </ul>
      {leaving && (
        <Confirm
          title={`Stop using ${leaving.name}?`}
          action={`Remove ${leaving.name}`}
          {...(features > 0 && { typed: leaving.name })}
          onClose={() => setLeft(undefined)}
          onConfirm={async () => {
            await remove(leaving.name);
            tellDone({
              id: `environment ${leaving.name}`,
              title: `${leaving.name} removed from the project`,
            });
          }}
        >
          <Text size="sm">
            {features === 0
              ? 'The project has no features yet, so nothing is lost.'
              : `${plural(features, 'feature')} lose their strategies and variants in ${leaving.name}; ${leaving.projectEnabledToggleCount} of them are on there now and will be off. Adding the environment again does not bring them back.`}
          </Text>
          {leaving.projectApiTokenCount > 0 && (
            <Text size="sm">
              {plural(leaving.projectApiTokenCount, 'API token')} of {leaving.name} will get no
              features of this project.
            </Text>
          )}
        </Confirm>
      )}
    </Stack>
  );
}
