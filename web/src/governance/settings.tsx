import { Alert, NumberInput, Stack, Switch, Table } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, type Response } from '../api.ts';
import classes from '../catalogue/projects/projects.module.css';
import { SettingsHead } from '../catalogue/projects/settings/settings-head.tsx';
import { useRefusal } from '../me.ts';
import { invalidate, read } from '../queries.ts';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { ProductionMark } from '../ui/production-mark.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { EnvironmentRules } from './rules.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/change-requests');

const operation = 'GET /api/admin/projects/:projectId/change-requests/config';
type Config = Response<typeof operation>[number];

const needed = ['UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'];

interface RowProps {
  readonly projectId: string;
  readonly config: Config;
}

function EnvironmentRow({ projectId, config }: RowProps) {
  const { environment, type, changeRequestEnabled, requiredApprovals } = config;
  const refusal = useRefusal(needed, { project: projectId });
  const saving = useMutation({
    mutationFn: (body: { changeRequestsEnabled: boolean; requiredApprovals?: number }) =>
      api('PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config', {
        params: { projectId, environment },
        body,
      }),
    onSuccess: () =>
      tellDone({
        id: `requests ${environment}`,
        title: `Change request settings for ${environment} saved`,
      }),
    onError: (error) => tellProblem(`save the change request settings for ${environment}`, error),
    onSettled: () => invalidate(operation),
  });
  const control = (
    <Switch
      aria-label={`Require approval in ${environment}`}
      checked={changeRequestEnabled}
      disabled={refusal !== undefined || saving.isPending}
      onChange={({ currentTarget }) =>
        saving.mutate({ changeRequestsEnabled: currentTarget.checked })
      }
    />
  );
  return (
    <Table.Tr>
      <Table.Td>
        {environment} {type === 'production' && <ProductionMark name={environment} />}
      </Table.Td>
      <Table.Td>
        {refusal === undefined ? (
          control
        ) : (
          <Tooltip label={refusal}>{<span>{control}</span>}</Tooltip>
        )}
      </Table.Td>
      <Table.Td>
        <NumberInput
          aria-label={`Required approvals in ${environment}`}
          w={90}
          min={1}
          max={10}
          allowDecimal={false}
          clampBehavior="strict"
          disabled={!changeRequestEnabled || refusal !== undefined}
          value={requiredApprovals ?? 1}
          onChange={(value) => {
            const approvals = Number(value);
            if (value === '' || approvals === requiredApprovals) return;
            saving.mutate({ changeRequestsEnabled: true, requiredApprovals: approvals });
          }}
        />
      </Table.Td>
    </Table.Tr>
  );
}

/** In which environments of a project changes need approval. */
export function ChangeRequestSettings() {
  const { projectId } = route.useParams();
  const refusal = useRefusal(needed, { project: projectId });
  const configs = useSuspenseQuery(read(operation, { params: { projectId } })).data;
  return (
    <Stack className={classes.form}>
      <SettingsHead title="Change requests">
        Where approval is required, changes take effect only after enough reviewers have approved
        them. Reviewers need a role with the permission to approve change requests.
      </SettingsHead>
      {refusal !== undefined && (
        <Alert color="gray">
          <WithCode text={refusal} />
        </Alert>
      )}
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Environment</Table.Th>
            <Table.Th>Require approval</Table.Th>
            <Table.Th>Approvals</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {configs.map((config) => (
            <EnvironmentRow key={config.environment} projectId={projectId} config={config} />
          ))}
        </Table.Tbody>
      </Table>
      {configs
        .filter(({ changeRequestEnabled }) => changeRequestEnabled)
        .map((config) => (
          <EnvironmentRules
            key={config.environment}
            projectId={projectId}
            config={config}
            refusal={refusal}
          />
        ))}
    </Stack>
  );
}
