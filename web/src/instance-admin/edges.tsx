import { Badge, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import classes from '../access/admin.module.css';
import { instanceUrl } from '../access/tokens/instance-url.ts';
import type { Response } from '../api.ts';
import { useRefusal } from '../me.ts';
import { read } from '../queries.ts';
import { CopyIcon } from '../ui/copy-button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { decimalText, numberText } from '../ui/format.ts';
import { PageLink } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import table from '../ui/table.module.css';
import { Since } from '../ui/time.tsx';
import { bytesText } from './bytes.ts';
import { ageText, edgesInOrder, isSilent } from './edges-in-order.ts';

type Edge = Response<'GET /api/admin/metrics/edges'>['edges'][number];

/** The edges that serve SDKs with the state of this installation. */
export function Edges() {
  const refusal = useRefusal('ADMIN');
  return (
    <Page
      title="Edges"
      lead="Edges serve SDKs close to users and keep serving them while this server is unavailable. This page lists edges that reported within the last hour."
      refusal={refusal}
    >
      <EdgeList />
    </Page>
  );
}

/** Edges report every minute. */
const refreshMs = 30_000;

function EdgeList() {
  const { edges } = useSuspenseQuery({
    ...read('GET /api/admin/metrics/edges', {}),
    refetchInterval: refreshMs,
  }).data;
  if (edges.length === 0) return <NoEdges />;
  return (
    <div className={`card ${classes.frame}`}>
      <Table
        className={`${table.stacked} ${classes.cards}`}
        verticalSpacing={8}
        horizontalSpacing="md"
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Version</Table.Th>
            <Table.Th>Data age</Table.Th>
            <Table.Th>Open streams</Table.Th>
            <Table.Th>Load</Table.Th>
            <Table.Th>Upstream latency</Table.Th>
            <Table.Th>Last report</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {edgesInOrder(edges).map(({ edge, level }) => (
            <Row key={edge.identifier} edge={edge} level={level} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

const unknown = '–';
const mostLevels = 4;

function Row({ edge, level }: { readonly edge: Edge; readonly level: number }) {
  const { latency, stateAgeSeconds, requestsPerSecond, memoryBytes } = edge;
  const load = [
    ...(requestsPerSecond === null ? [] : [`${decimalText(requestsPerSecond)} requests/s`]),
    ...(memoryBytes === null ? [] : [bytesText(memoryBytes)]),
  ];
  return (
    <Table.Tr className={classes.row}>
      <Table.Td style={{ paddingInlineStart: `${16 + 20 * Math.min(level, mostLevels)}px` }}>
        <Text size="sm" fw={600} className={classes.name}>
          {edge.appName}
        </Text>
        <Group gap={6}>
          {level > 0 && (
            <Badge size="xs" tt="none" variant="light" color="gray">
              Behind another edge
            </Badge>
          )}
          <Text size="xs" className={`quiet ${classes.name}`}>
            {[edge.region, edge.environment, edge.instanceId ?? edge.identifier]
              .filter((each) => each !== null)
              .join(' · ')}
          </Text>
        </Group>
      </Table.Td>
      <Table.Td data-label="Version">
        <Text size="sm" className={classes.name}>
          {edge.version}
        </Text>
      </Table.Td>
      <Table.Td data-label="Data age">
        <Text size="sm">{stateAgeSeconds === null ? unknown : ageText(stateAgeSeconds)}</Text>
      </Table.Td>
      <Table.Td data-label="Open streams">
        <Text size="sm">{numberText(edge.connectedClients)}</Text>
      </Table.Td>
      <Table.Td data-label="Load">
        <Text size="sm">{load.length === 0 ? unknown : load.join(', ')}</Text>
      </Table.Td>
      <Table.Td data-label="Upstream latency">
        <Text size="sm">
          {latency.featuresMs === null ? unknown : `${decimalText(latency.featuresMs)} ms`}
          {latency.featuresP99Ms !== null && `, p99 ${decimalText(latency.featuresP99Ms)} ms`}
        </Text>
      </Table.Td>
      <Table.Td data-label="Last report">
        <Group gap={6}>
          <Text size="sm" className="quiet" component="span">
            <Since instant={edge.reportedAt} />
          </Text>
          {isSilent(edge.reportedAt, new Date()) && (
            <Badge size="xs" tt="none" variant="light" color="orange">
              Not reporting
            </Badge>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function NoEdges() {
  const command = `npx burgee edge --upstream ${instanceUrl()} --token 'TOKEN'`;
  return (
    <EmptyState title="No edges in the last hour">
      <Stack gap="xs" align="center">
        <span>
          Start an edge close to your users with a backend token from{' '}
          <PageLink to="/admin/api" inherit underline="always">
            API tokens
          </PageLink>
          . It appears here within a minute.
        </span>
        <Group gap="xs" wrap="nowrap" maw="100%">
          <Code className={classes.name}>{command}</Code>
          <CopyIcon text={command} label="Copy command" />
        </Group>
      </Stack>
    </EmptyState>
  );
}
