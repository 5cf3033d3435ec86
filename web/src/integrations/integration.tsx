import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconSettings } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../api.ts';
import { useRefusal } from '../me.ts';
import { useProjectName } from '../project-name.tsx';
import { invalidate } from '../queries.ts';
import { plural } from '../ui/format.ts';
import { GuardedButton } from '../ui/guarded.tsx';
import { PageLink } from '../ui/link.tsx';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { Since } from '../ui/time.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { ConditionBadge } from './condition.tsx';
import { Countdown } from './countdown.tsx';
import { Deliveries } from './deliveries.tsx';
import { nameOf } from './integration-name.ts';
import classes from './integrations.module.css';
import { ProviderIcon } from './provider-icon.tsx';
import { useIntegration } from './reads.ts';
import { IntegrationStatistics } from './statistics.tsx';
import { TestSend } from './test-send.tsx';
import { type Integration, queueText } from './words.ts';

const route = getRouteApi('/shell/integrations/$id');

function PauseButton({
  integration,
  name,
}: {
  readonly integration: Integration;
  readonly name: string;
}) {
  const refusal = useRefusal('UPDATE_ADDON');
  const params = { id: String(integration.id) };
  const turn = async (isPaused: boolean) => {
    await (isPaused
      ? api('POST /api/admin/addons/:id/pause', { params })
      : api('POST /api/admin/addons/:id/resume', { params }));
    await invalidate('GET /api/admin/addons', 'GET /api/admin/addons/:id');
  };
  const change = useMutation({
    mutationFn: turn,
    onSuccess: (_, isPaused) =>
      tellDone({
        id: `pause ${integration.id}`,
        title: `${name} ${isPaused ? 'paused' : 'resumed'}`,
        undo: () => turn(!isPaused),
      }),
    onError: (error, isPaused) => tellProblem(`${isPaused ? 'pause' : 'resume'} ${name}`, error),
  });
  const { paused } = integration;
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <GuardedButton
      variant="default"
      refusal={refusal}
      loading={change.isPending}
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => change.mutate(!paused)}
    >
      {paused ? 'Resume' : 'Pause'}
    </GuardedButton>
  );
}

interface StatusNoticeProps {
  readonly integration: Integration;
  /** Whether the page lists deliveries, which not everyone may see. */
  readonly listsDeliveries: boolean;
}

/** Why deliveries don't arrive now. */
function StatusNotice({ integration, listsDeliveries }: StatusNoticeProps) {
  const { enabled, paused, pausedAt, delivery, trouble } = integration;
  if (!enabled) {
    return (
      <Alert color="gray" title="Integration disabled">
        New events are skipped. {trouble?.message}
      </Alert>
    );
  }
  if (paused) {
    return (
      <Alert color="blue" title="Integration paused">
        {pausedAt !== undefined && (
          <>
            Paused <Since instant={pausedAt} />.{' '}
          </>
        )}
        {queueText(delivery.pending)}
      </Alert>
    );
  }
  if (delivery.heldUntil !== undefined) {
    return (
      <Alert color="yellow" title="Throttled by the endpoint">
        Delivery resumes <Countdown until={delivery.heldUntil} />.
        {delivery.pending > 0 && ` ${plural(delivery.pending, 'event')} pending.`}
      </Alert>
    );
  }
  const problem = delivery.lastError ?? trouble?.message;
  if (problem === undefined) return null;
  const givenUpText = `${plural(delivery.givenUp, 'delivery', 'deliveries')} failed permanently`;
  return (
    <Alert color="red" title="Deliveries are failing">
      <Text size="sm" className={classes.anywhere}>
        {problem}
      </Text>
      <Text size="sm" mt={4}>
        {delivery.pending > 0 && `${plural(delivery.pending, 'event')} will be retried. `}
        {delivery.givenUp > 0 && (
          <>
            {listsDeliveries ? (
              <PageLink
                to="/integrations/$id"
                params={{ id: String(integration.id) }}
                search={{ state: 'givenUp' }}
                inherit
                c="inherit"
                underline="always"
              >
                {givenUpText}
              </PageLink>
            ) : (
              givenUpText
            )}
            .
          </>
        )}
      </Text>
    </Alert>
  );
}

/** One integration: its status, statistics and deliveries. */
export function IntegrationView() {
  const { id } = route.useParams();
  const { integration, provider } = useIntegration(id);
  const refusal = useRefusal('UPDATE_ADDON');
  const name = nameOf(integration, provider ? [provider] : []);
  const nameOfProject = useProjectName();
  return (
    <Stack gap="xl">
      <div>
        <PageLink to="/integrations" size="sm">
          Integrations
        </PageLink>
        <Group justify="space-between" mt={4}>
          <Group gap="sm" wrap="nowrap" className={classes.grow}>
            <ProviderIcon name={integration.provider} />
            <div className={classes.grow}>
              <Group gap="sm">
                <Title order={1} size="h2" className={classes.anywhere} dir="auto">
                  {name}
                </Title>
                <ConditionBadge integration={integration} />
              </Group>
              <Text size="sm" className="quiet">
                {provider?.displayName ?? integration.provider} ·{' '}
                {integration.projects.length === 0
                  ? 'All projects'
                  : integration.projects.map(nameOfProject).join(', ')}{' '}
                · Created <Since instant={integration.createdAt} />
              </Text>
            </div>
          </Group>
          <Group gap="xs">
            <TestSend id={integration.id} />
            <PauseButton integration={integration} name={name} />
            <Button
              variant="default"
              leftSection={<IconSettings size={16} aria-hidden />}
              component={Link}
              to={`/integrations/edit/${id}`}
            >
              Settings
            </Button>
          </Group>
        </Group>
      </div>
      <StatusNotice integration={integration} listsDeliveries={refusal === undefined} />
      {refusal === undefined ? (
        <>
          <IntegrationStatistics integration={integration} />
          <Deliveries integration={integration} />
        </>
      ) : (
        <Alert color="gray">
          <WithCode text={refusal} />
        </Alert>
      )}
    </Stack>
  );
}
