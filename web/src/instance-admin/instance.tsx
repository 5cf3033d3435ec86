import { Alert, Badge, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import classes from '../access/admin.module.css';
import { Section } from '../access/section.tsx';
import { api, basePath } from '../api.ts';
import { useRefusal } from '../me.ts';
import { read } from '../queries.ts';
import { numberText } from '../ui/format.ts';
import { PageLink } from '../ui/link.tsx';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { Page } from '../ui/page.tsx';
import { saveJson } from '../ui/save-file.ts';
import { Since } from '../ui/time.tsx';
import { bytesText, usageOf } from './bytes.ts';

/** Version, resources and event log of this instance. */
export function Instance() {
  const refusal = useRefusal('ADMIN');
  return (
    <Page title="Instance" lead="Version, resources, and event log integrity." refusal={refusal}>
      <State />
    </Page>
  );
}

const Facts = ({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={classes.facts}>
    {facts.map(([term, value]) => (
      <div key={term} style={{ display: 'contents' }}>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

interface UsedProps {
  readonly label: string;
  readonly free: number;
  readonly total: number;
}

/** How full something is, with a warning in words above 90%. */
function Used({ label, free, total }: UsedProps) {
  const { share, text, isLow } = usageOf({ free, total });
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm">{label}</Text>
        <Text
          size="sm"
          className={isLow ? 'tabular' : 'quiet tabular'}
          {...(isLow && { c: 'orange' })}
        >
          {text}
        </Text>
      </Group>
      <Progress value={share} color={isLow ? 'orange' : 'teal'} aria-label={label} />
    </div>
  );
}

const refreshMs = 10_000;

function State() {
  const state = useSuspenseQuery({
    ...read('GET /api/admin/instance-admin/state', {}),
    refetchInterval: refreshMs,
  }).data;
  const { disk, memory, database } = state;
  return (
    <div className={classes.cardsGrid}>
      <Section title="Version">
        <Facts
          facts={[
            ['Burgee', state.burgeeVersion],
            ['API', `Compatible with Unleash ${state.apiVersion}`],
            ['Node.js', state.nodeVersion],
            ['Started', <Since key="started" instant={state.startedAt} />],
            ['Instance ID', state.instanceId],
          ]}
        />
      </Section>
      <Section title="Disk and memory">
        <Stack gap="sm">
          {disk && <Used label="Disk" free={disk.freeBytes} total={disk.totalBytes} />}
          <Used label="Memory" free={memory.freeBytes} total={memory.totalBytes} />
          <Facts
            facts={[
              ['Burgee memory', bytesText(memory.usedBytes)],
              ['CPU cores', numberText(state.processors)],
              ...(disk ? ([['Data directory', disk.folder]] as const) : []),
            ]}
          />
        </Stack>
      </Section>
      <Section title="Database">
        <Facts
          facts={[
            [
              'PostgreSQL',
              `${database.version}, ${database.kind === 'embedded' ? 'embedded' : 'external'}`,
            ],
            ['Size', bytesText(database.sizeBytes)],
            ['Connections', numberText(database.connections)],
          ]}
        />
      </Section>
      <EventLogState />
      <Statistics />
    </div>
  );
}

const chainWords = {
  verified: { color: 'teal', label: 'Verified' },
  checking: { color: 'gray', label: 'Verifying' },
  broken: { color: 'red', label: 'Failed' },
} as const;

function EventLogState() {
  const log = useQuery({
    ...read('GET /api/admin/search/events/state', {}),
    // The check goes on as long as its state is read.
    refetchInterval: ({ state: { data } }) => (data?.chain.state === 'checking' ? 1_000 : false),
  }).data;
  const checkpoint = useMutation({
    mutationFn: () => api('GET /api/admin/events/checkpoint', {}),
    onSuccess: (made) => {
      saveJson(`burgee-checkpoint-${made.lastId}.json`, JSON.stringify(made, null, 2));
      tellDone({
        id: 'checkpoint',
        title: `Checkpoint for event ${numberText(made.lastId)} downloaded`,
      });
    },
    onError: (error) => tellProblem('create a checkpoint', error),
  });
  const chain = log && chainWords[log.chain.state];
  return (
    <Section
      title="Event log"
      lead={
        <>
          A tamper-evident record of every change.{' '}
          <PageLink to="/history" size="sm" underline="always">
            View event log
          </PageLink>
        </>
      }
    >
      {log && chain && (
        <>
          {log.chain.fault !== null && (
            <Alert color="red" title="Event log integrity check failed" role="alert">
              {log.chain.fault}. Run burgee verify and compare with a saved checkpoint.
            </Alert>
          )}
          <Facts
            facts={[
              ['Events', numberText(log.events)],
              ['Size', bytesText(log.sizeBytes)],
              [
                'Integrity',
                <Group key="chain" gap={8}>
                  <Badge variant="light" color={chain.color} tt="none">
                    {chain.label}
                  </Badge>
                  <span>
                    through event {numberText(log.chain.verifiedThrough)}
                    {log.chain.state === 'checking' && ` of ${numberText(log.lastId)}`}
                  </span>
                </Group>,
              ],
            ]}
          />
        </>
      )}
      <Text size="sm" className="quiet">
        Store a checkpoint outside this server.{' '}
        <code style={{ whiteSpace: 'nowrap' }}>burgee verify --checkpoint</code> then proves that no
        event up to it was changed or removed.
      </Text>
      <Group>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={checkpoint.isPending}
          onClick={() => checkpoint.mutate()}
        >
          Download checkpoint
        </Button>
      </Group>
    </Section>
  );
}

function Statistics() {
  const data = useQuery(read('GET /api/admin/instance-admin/statistics', {})).data;
  return (
    <Section title="Statistics">
      {data && (
        <Facts
          facts={[
            [
              'Features',
              `${numberText(data.featureToggles)} · ${numberText(data.archivedFeatureToggles)} archived`,
            ],
            ['Projects', numberText(data.projects)],
            [
              'Users',
              `${numberText(data.users)} · ${numberText(data.activeUsers.last30 ?? 0)} active in the last 30 days`,
            ],
            ['Service accounts', numberText(data.serviceAccounts)],
            ['Groups', numberText(data.groups)],
            [
              'API tokens',
              `${numberText(data.apiTokens.client)} backend, ${numberText(data.apiTokens.frontend)} frontend, ${numberText(data.apiTokens.admin)} admin`,
            ],
            [
              'Production changes',
              `${numberText(data.productionChanges.last30 ?? 0)} in the last 30 days`,
            ],
          ]}
        />
      )}
      <Group>
        <Button
          variant="default"
          component="a"
          href={`${basePath}api/admin/instance-admin/statistics/csv`}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download CSV
        </Button>
      </Group>
    </Section>
  );
}
