import { Badge, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { EventList } from '../events/event-list.tsx';
import { read } from '../queries.ts';
import { PageLink } from '../ui/link.tsx';
import { Since } from '../ui/time.tsx';
import classes from './flags.module.css';
import type { Environment } from './sentence.ts';
import { StrategyCard } from './strategy.tsx';
import { FeatureSwitch } from './switch.tsx';

const route = getRouteApi('/shell/projects/$projectId/features/$featureName');

interface CardProps {
  readonly project: string;
  readonly feature: string;
  readonly environment: Environment;
  readonly segmentNames: ReadonlyMap<number, string>;
}

function EnvironmentCard({ project, feature, environment, segmentNames }: CardProps) {
  const { name, type, enabled, strategies, lastSeenAt } = environment;
  return (
    <section className="card" aria-label={name}>
      <Group justify="space-between" p="md" wrap="nowrap">
        <div>
          <Title order={2} size="h5">
            {name}
          </Title>
          <Text size="xs" className="quiet">
            {type}
            {lastSeenAt ? (
              <>
                {' · seen '}
                <Since instant={lastSeenAt} />
              </>
            ) : (
              ' · never seen'
            )}
          </Text>
        </div>
        <FeatureSwitch
          project={project}
          feature={feature}
          environment={name}
          type={type}
          enabled={enabled}
        />
      </Group>
      <Stack gap="xs" px="md" pb="md">
        {strategies.length === 0 && (
          <Text size="sm" className="quiet">
            No strategy: switched on, it is on for everybody.
          </Text>
        )}
        {strategies.map((strategy, index) => (
          <Stack key={strategy.id} gap="xs">
            {index > 0 && (
              <Text size="xs" className="quiet" ta="center">
                or
              </Text>
            )}
            <StrategyCard strategy={strategy} segmentNames={segmentNames} />
          </Stack>
        ))}
      </Stack>
    </section>
  );
}

/** One feature on one screen: its environments beside each other. */
export function Feature() {
  const { projectId, featureName } = route.useParams();
  const { data: feature } = useSuspenseQuery(
    read('GET /api/admin/projects/:projectId/features/:featureName', {
      params: { projectId, featureName },
    }),
  );
  const segments = useQuery(read('GET /api/admin/segments', {})).data?.segments ?? [];
  const segmentNames = new Map(segments.map(({ id, name }) => [id, name]));
  return (
    <Stack>
      <div>
        <Breadcrumbs mb={4}>
          <PageLink to="/search" size="sm">
            Features
          </PageLink>
          <PageLink to="/projects/$projectId" params={{ projectId }} size="sm">
            {projectId}
          </PageLink>
        </Breadcrumbs>
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {feature.name}
        </Title>
        <Group gap="xs" mt={6}>
          <Badge tt="none" variant="light">
            {feature.type}
          </Badge>
          {feature.tags.map(({ type, value }) => (
            <Badge key={`${type}:${value}`} tt="none" variant="outline" color="gray">
              {type}: {value}
            </Badge>
          ))}
          {feature.stale && (
            <Badge tt="none" variant="light" color="yellow">
              stale
            </Badge>
          )}
          {feature.archived && (
            <Badge tt="none" variant="light" color="red">
              archived
            </Badge>
          )}
          <Text size="sm" className="quiet">
            created <Since instant={feature.createdAt} /> by {feature.createdBy.name}
          </Text>
        </Group>
        {feature.description && <Text mt="xs">{feature.description}</Text>}
      </div>
      <div className={classes.environments}>
        {feature.environments.map((environment) => (
          <EnvironmentCard
            key={environment.name}
            project={projectId}
            feature={featureName}
            environment={environment}
            segmentNames={segmentNames}
          />
        ))}
      </div>
      <section aria-label="History">
        <Title order={2} size="h4" mb="xs">
          History
        </Title>
        <EventList query={{ feature: `IS:${featureName}` }} limit={20} />
      </section>
    </Stack>
  );
}
