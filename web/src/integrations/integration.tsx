import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconSettings } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../api.ts';
import { useRefusal } from '../me.ts';
import { invalidate } from '../queries.ts';
import { exactTime } from '../ui/dates.ts';
import { plural } from '../ui/format.ts';
import { GuardedButton } from '../ui/guarded.tsx';
import { PageLink } from '../ui/link.tsx';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { Since } from '../ui/time.tsx';
import { ConditionBadge } from './condition.tsx';
import { Deliveries } from './deliveries.tsx';
import classes from './integrations.module.css';
import { ProviderIcon } from './provider-icon.tsx';
import { useIntegration } from './reads.ts';
import { IntegrationStatistics } from './statistics.tsx';
import { TestSend } from './test-send.tsx';
import { type Integration, nameOf } from './words.ts';

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

/** What stands in the way, in a sentence, with what to do about it. */
function Standing({ integration }: { readonly integration: Integration }) {
  const { enabled, paused, pausedAt, delivery, trouble } = integration;
  const waiting = delivery.pending > 0 && ` ${plural(delivery.pending, 'event')} wait.`;
  if (!enabled) {
    return (
      <Alert color="gray" title="It is disabled">
        Events that happen now are not kept for it. {trouble?.message}
      </Alert>
    );
  }
  if (paused) {
    return (
      <Alert color="blue" title="It is paused">
        Nothing is sent{' '}
        {pausedAt !== undefined && (
          <>
            since <Since instant={pausedAt} />
          </>
        )}
        .{waiting} They are sent when you resume it.
      </Alert>
    );
  }
  if (delivery.heldUntil !== undefined) {
    return (
      <Alert color="yellow" title="The receiver asked to wait">
        Nothing is sent until {exactTime(delivery.heldUntil)}.{waiting}
      </Alert>
    );
  }
  const problem = delivery.lastError ?? trouble?.message;
  if (problem === undefined) return null;
  return (
    <Alert color="red" title="The receiver does not take what is sent">
      <Text size="sm" className={classes.anywhere}>
        {problem}
      </Text>
      <Text size="sm" mt={4}>
        {delivery.pending > 0 && `${plural(delivery.pending, 'event')} will be tried again. `}
        {delivery.givenUp > 0 && (
          <PageLink
            to="/integrations/$id"
            params={{ id: String(integration.id) }}
            search={{ state: 'givenUp' }}
            inherit
            c="inherit"
            underline="always"
          >
            {plural(delivery.givenUp, 'delivery', 'deliveries')} given up
          </PageLink>
        )}
      </Text>
    </Alert>
  );
}

/** One integration: how it is doing, and every delivery. */
export function IntegrationView() {
  const { id } = route.useParams();
  const { integration, provider } = useIntegration(id);
  const refusal = useRefusal('UPDATE_ADDON');
  const name = nameOf(integration, provider ? [provider] : []);
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
                <Title order={1} size="h2" className={classes.anywhere}>
                  {name}
                </Title>
                <ConditionBadge integration={integration} />
              </Group>
              <Text size="sm" className="quiet">
                {provider?.displayName ?? integration.provider} ·{' '}
                {integration.projects.length === 0
                  ? 'all projects'
                  : integration.projects.join(', ')}{' '}
                · made <Since instant={integration.createdAt} />
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
      <Standing integration={integration} />
      {refusal === undefined ? (
        <>
          <IntegrationStatistics integration={integration} />
          <Deliveries integration={integration} />
        </>
      ) : (
        <Alert color="gray">{refusal}</Alert>
      )}
    </Stack>
  );
}
