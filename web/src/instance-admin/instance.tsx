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
import { Since } from '../ui/time.tsx';
import { bytesText } from './bytes.ts';

/** Shows what runs here, and how it is. */
export function Instance() {
  const refusal = useRefusal('ADMIN');
  return (
    <Page
      title="Instance"
      lead="What runs here, how much space is left, and whether the log is whole."
      refusal={refusal}
    >
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

/** How full something is, with a warning in words where little is left. */
function Used({ label, free, total }: UsedProps) {
  const share = total === 0 ? 0 : ((total - free) / total) * 100;
  const isTight = share > 90;
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm">{label}</Text>
        <Text size="sm" className="quiet tabular">
          {bytesText(free)} of {bytesText(total)} free{isTight && ': little is left'}
        </Text>
      </Group>
      <Progress value={share} color={isTight ? 'orange' : 'teal'} aria-label={label} />
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
            ['API', `compatible with Unleash ${state.apiVersion}`],
            ['Node.js', state.nodeVersion],
            ['Started', <Since key="started" instant={state.startedAt} />],
            ['Installation', state.instanceId],
          ]}
        />
      </Section>
      <Section title="Disk and memory">
        <Stack gap="sm">
          {disk && <Used label="Disk" free={disk.freeBytes} total={disk.totalBytes} />}
          <Used label="Memory" free={memory.freeBytes} total={memory.totalBytes} />
          <Facts
            facts={[
              ['Memory of Burgee', bytesText(memory.usedBytes)],
              ['Processors', numberText(state.processors)],
              ...(disk ? ([['Data', disk.folder]] as const) : []),
            ]}
          />
        </Stack>
      </Section>
      <Section title="Database">
        <Facts
          facts={[
            [
              'PostgreSQL',
              `${database.version}, ${database.kind === 'embedded' ? 'run by Burgee' : 'a server of its own'}`,
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
  verified: { color: 'teal', label: 'whole' },
  checking: { color: 'gray', label: 'being checked' },
  broken: { color: 'red', label: 'broken' },
} as const;

/** Gives the browser a file to keep. */
function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

function EventLogState() {
  const log = useQuery({
    ...read('GET /api/admin/search/events/state', {}),
    // The walk goes on while somebody asks.
    refetchInterval: ({ state: { data } }) => (data?.chain.state === 'checking' ? 1_000 : false),
  }).data;
  const checkpoint = useMutation({
    mutationFn: () => api('GET /api/admin/events/checkpoint', {}),
    onSuccess: (made) => {
      download(`burgee-checkpoint-${made.lastId}.json`, JSON.stringify(made, null, 2));
      tellDone({
        id: 'checkpoint',
        title: `Checkpoint for event ${numberText(made.lastId)} downloaded`,
      });
    },
    onError: (error) => tellProblem('create checkpoint', error),
  });
  const chain = log && chainWords[log.chain.state];
  return (
    <Section
      title="Event log"
      lead={
        <>
          Every change of this installation, each linked to the one before.{' '}
          <PageLink to="/history" size="sm" underline="always">
            Open the log
          </PageLink>
        </>
      }
    >
      {log && chain && (
        <>
          {log.chain.fault !== null && (
            <Alert color="red" title="The log was altered" role="alert">
              {log.chain.fault}. Run burgee verify, and compare with a checkpoint that you kept.
            </Alert>
          )}
          <Facts
            facts={[
              ['Events', numberText(log.events)],
              ['Size', bytesText(log.sizeBytes)],
              [
                'Chain',
                <Group key="chain" gap={8}>
                  <Badge variant="light" color={chain.color} tt="none">
                    {chain.label}
                  </Badge>
                  <span>
                    up to event {numberText(log.chain.verifiedThrough)}
                    {log.chain.state === 'checking' && ` of ${numberText(log.lastId)}`}
                  </span>
                </Group>,
              ],
            ]}
          />
        </>
      )}
      <Text size="sm" className="quiet">
        Keep a checkpoint elsewhere. With it{' '}
        <code style={{ whiteSpace: 'nowrap' }}>burgee verify --checkpoint</code> proves that no
        event was altered or taken away.
      </Text>
      <Group>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={checkpoint.isPending}
          onClick={() => checkpoint.mutate()}
        >
          Download a checkpoint
        </Button>
      </Group>
    </Section>
  );
}

function Statistics() {
  const data = useQuery(read('GET /api/admin/instance-admin/statistics', {})).data;
  return (
    <Section title="What is in it">
      {data && (
        <Facts
          facts={[
            [
              'Features',
              `${numberText(data.featureToggles)} active, ${numberText(data.archivedFeatureToggles)} archived`,
            ],
            ['Projects', numberText(data.projects)],
            [
              'People',
              `${numberText(data.users)}, ${numberText(data.activeUsers.last30 ?? 0)} here within 30 days`,
            ],
            ['Service accounts', numberText(data.serviceAccounts)],
            ['Groups', numberText(data.groups)],
            [
              'API tokens',
              `${numberText(data.apiTokens.client)} backend, ${numberText(data.apiTokens.frontend)} frontend, ${numberText(data.apiTokens.admin)} admin`,
            ],
            [
              'Changes in production',
              `${numberText(data.productionChanges.last30 ?? 0)} within 30 days`,
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
          Download as CSV
        </Button>
      </Group>
    </Section>
  );
}
