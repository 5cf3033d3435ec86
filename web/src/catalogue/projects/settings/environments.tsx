import { Badge, Group, Stack, Text } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
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
import { ProductionMark } from '../../../ui/production-mark.tsx';
import classes from '../projects.module.css';
import { removalText } from './environment-words.ts';
import { SettingsHead } from './settings-head.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/environments');

const refresh = () =>
  invalidate(
    'GET /api/admin/environments/project/:projectId',
    'GET /api/admin/environments',
    'GET /api/admin/projects/:projectId/overview',
    'GET /api/admin/search/features',
  );

/** The environments of a project. Removing one deletes the configuration of its features there, which has to be confirmed. */
export function ProjectEnvironments() {
  const { projectId } = route.useParams();
  const params = { projectId };
  const all = useSuspenseQuery(read('GET /api/admin/environments', {})).data.environments;
  const used = useSuspenseQuery(read('GET /api/admin/environments/project/:projectId', { params }))
    .data.environments;
  const overview = useSuspenseQuery(
    read('GET /api/admin/projects/:projectId/overview', { params }),
  ).data;
  const mayNot = useRefusal('UPDATE_PROJECT', { project: projectId });
  const [left, setLeft] = useState<string>();
  const features = overview.featureTypeCounts.reduce((sum, { count }) => sum + count, 0);
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
        Choose where this project's features can be enabled. Each SDK token belongs to one
        environment.
      </SettingsHead>
      <ul className={`card ${classes.findings}`}>
        {all.map(({ name, type }) => {
          const state = used.find((each) => each.name === name);
          const refusal =
            mayNot ??
            (state && used.length === 1 ? 'A project needs at least one environment' : undefined);
          return (
            <li key={name} className={classes.setting}>
              <div>
                <Group gap={8}>
                  <Text fw={600}>{name}</Text>
                  {type === 'production' && <ProductionMark name={name} />}
                  {type !== name && (
                    <Badge size="sm" variant="outline" color="gray" tt="none">
                      {type}
                    </Badge>
                  )}
                </Group>
                <Text size="sm" className="quiet tabular">
                  {state
                    ? `${plural(state.projectEnabledToggleCount, 'feature')} enabled · ${plural(state.projectApiTokenCount, 'API token')}`
                    : 'Not in this project'}
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
                aria-label={`Use ${name} in this project`}
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
          title={`Remove ${leaving.name} from this project?`}
          action="Remove environment"
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
            {removalText(leaving.name, features, leaving.projectEnabledToggleCount)}
          </Text>
          {leaving.projectApiTokenCount > 0 && (
            <Text size="sm">
              {plural(leaving.projectApiTokenCount, 'API token')} for {leaving.name} will stop
              returning this project's features.
            </Text>
          )}
        </Confirm>
      )}
    </Stack>
  );
}
