import { Alert, Badge, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useRefusal } from '../me.ts';
import { useProjectName } from '../project-name.tsx';
import { read } from '../queries.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { joinAnd, percent, plural } from '../ui/format.ts';
import { PageLink } from '../ui/link.tsx';
import { Since } from '../ui/time.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { ConditionBadge } from './condition.tsx';
import { nameOf } from './integration-name.ts';
import classes from './integrations.module.css';
import { ProviderIcon } from './provider-icon.tsx';
import { backlogText, type Integration, type Provider } from './words.ts';

/** Deliveries are polled, because attempts are no events. */
const pollMs = 10_000;

const reachOf = (
  { projects, environments, events }: Integration,
  nameOfProject: (id: string) => string,
): string =>
  [
    plural(events.length, 'event type'),
    projects.length === 0 ? 'All projects' : projects.map(nameOfProject).join(', '),
    ...(environments.length === 0 ? [] : [environments.join(', ')]),
  ].join(' · ');

interface RowProps {
  readonly integration: Integration;
  readonly providers: readonly Provider[];
}

function Row({ integration, providers }: RowProps) {
  const { id, provider, delivery, trouble } = integration;
  const problem = delivery.lastError ?? trouble?.message;
  const nameOfProject = useProjectName();
  return (
    <li className={classes.row}>
      <ProviderIcon name={provider} />
      <div className={classes.grow}>
        <Group gap={8}>
          <PageLink
            to="/integrations/$id"
            params={{ id: String(id) }}
            fw={600}
            className={classes.anywhere}
            dir="auto"
          >
            {nameOf(integration, providers)}
          </PageLink>
          <ConditionBadge integration={integration} />
        </Group>
        <Text size="xs" className="quiet" truncate>
          {providers.find(({ name }) => name === provider)?.displayName ?? provider} ·{' '}
          {reachOf(integration, nameOfProject)}
        </Text>
        {problem !== undefined && integration.enabled && (
          <Text size="xs" c="var(--mantine-color-error)" lineClamp={2} className={classes.problem}>
            {problem}
          </Text>
        )}
      </div>
      <div className={classes.numbers}>
        <Text size="sm" className="tabular">
          {delivery.successRate === undefined
            ? 'No deliveries in 24 h'
            : `${percent(delivery.successRate, 1)} delivered in 24 h`}
        </Text>
        <Text size="xs" className="quiet tabular">
          {delivery.lastAttemptAt !== undefined && (
            <>
              Last attempt <Since instant={delivery.lastAttemptAt} />
            </>
          )}
        </Text>
        <Text size="xs" className="quiet tabular">
          {backlogText(delivery)}
        </Text>
      </div>
    </li>
  );
}

/** "access token", but "URL". */
const inSentence = (name: string): string =>
  name.replace(/^[A-Z](?=[a-z])/, (sign) => sign.toLowerCase());

/** The parameters without which it can't be created. */
const needsOf = ({ parameters }: Provider): string => {
  const needed = parameters
    .filter(({ required }) => required)
    .map(({ displayName }) => inSentence(displayName));
  return needed.length === 0 ? 'No setup required' : `Requires ${joinAnd(needed)}`;
};

function ProviderCard({ provider, used }: { readonly provider: Provider; readonly used: number }) {
  return (
    <li className={`card ${classes.provider}`}>
      <Group gap="sm" wrap="nowrap">
        <ProviderIcon name={provider.name} />
        <Title order={3} size="h5" className={classes.grow}>
          <PageLink
            to="/integrations/create/$provider"
            params={{ provider: provider.name }}
            className={classes.whole}
            inherit
          >
            {provider.displayName}
          </PageLink>
        </Title>
        {used > 0 && (
          <Badge variant="light" color="gray" tt="none" size="sm">
            {used} in use
          </Badge>
        )}
      </Group>
      <Text size="sm" className={classes.grow}>
        {provider.description}
      </Text>
      {provider.deprecated !== undefined && (
        <Text size="xs" className={classes.warning}>
          {provider.deprecated}
        </Text>
      )}
      <Group justify="space-between" wrap="nowrap">
        <Text size="xs" className="quiet">
          {needsOf(provider)}
        </Text>
        <IconArrowRight size={16} aria-hidden className="quiet" />
      </Group>
    </li>
  );
}

/** All integrations, and the providers of new ones. */
export function IntegrationList() {
  const { addons, providers } = useSuspenseQuery({
    ...read('GET /api/admin/addons', {}),
    refetchInterval: pollMs,
  }).data;
  const mayNotCreate = useRefusal('CREATE_ADDON');
  return (
    <Stack gap="xl">
      <section>
        <Title order={1} size="h2" mb={4}>
          Integrations
        </Title>
        <Text size="sm" className="quiet" mb="md">
          Send events to webhooks, chat, and monitoring tools.
        </Text>
        {addons.length === 0 ? (
          <EmptyState title="No integrations yet">
            Choose a provider below to get started. A webhook is quickest: all you need is a URL.
          </EmptyState>
        ) : (
          <ul className={`card ${classes.rows}`}>
            {addons.map((integration) => (
              <Row key={integration.id} integration={integration} providers={providers} />
            ))}
          </ul>
        )}
      </section>
      <section aria-label="Providers">
        <Title order={2} size="h4" mb="sm">
          Add integration
        </Title>
        {mayNotCreate !== undefined && (
          <Alert color="gray" mb="sm">
            <WithCode text={mayNotCreate} />
          </Alert>
        )}
        <ul className={classes.gallery}>
          {providers.map((provider) => (
            <ProviderCard
              key={provider.name}
              provider={provider}
              used={addons.filter((each) => each.provider === provider.name).length}
            />
          ))}
        </ul>
      </section>
    </Stack>
  );
}
