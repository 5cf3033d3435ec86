import { Group, SegmentedControl, Select, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { read } from '../../queries.ts';
import { hourText, shortDay } from '../../ui/dates.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { agree, numberText, percent } from '../../ui/format.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Problem } from '../../ui/problem.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { ShowCode } from './show-code.tsx';
import { bucketMsFor, sumsBy, usagePoints, variantSums } from './usage-points.ts';
import { variantRows } from './usage-words.ts';
import { type Feature, route, useFeatureView } from './view.ts';

const UsageChart = lazyPart(() => import('./usage-chart.tsx'), 'UsageChart');

const periods = [
  { value: '24', label: '24 hours' },
  { value: '48', label: '48 hours' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
];

const pollMs = 60_000;

interface TableProps {
  readonly title: string;
  readonly rows: readonly { readonly key: string; readonly yes: number; readonly no: number }[];
}

const Sums = ({ title, rows }: TableProps) => (
  <Table.ScrollContainer minWidth={300} className="card">
    {/* On a phone, all columns fit next to the name of an environment. */}
    <Table horizontalSpacing="clamp(6px, 1vw, 10px)">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{title}</Table.Th>
          <Table.Th ta="right">Enabled</Table.Th>
          <Table.Th ta="right">Disabled</Table.Th>
          <Table.Th ta="right">% enabled</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, yes, no }) => (
          <Table.Tr key={key}>
            <Table.Td>{key}</Table.Td>
            <Table.Td ta="right" className="tabular">
              {numberText(yes)}
            </Table.Td>
            <Table.Td ta="right" className="tabular">
              {numberText(no)}
            </Table.Td>
            <Table.Td ta="right" className="tabular">
              {yes + no === 0 ? '–' : percent(yes, yes + no)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

/** The weights of each variant by name, in one environment or in all of them. */
function weightsIn({ environments }: Feature, environment: string | null) {
  const weights = new Map<string, Set<number>>();
  for (const { name, variants, strategies } of environments) {
    if (environment !== null && name !== environment) continue;
    for (const variant of [...variants, ...strategies.flatMap((each) => each.variants)]) {
      weights.set(variant.name, (weights.get(variant.name) ?? new Set()).add(variant.weight));
    }
  }
  return weights;
}

/** How often applications evaluated the feature, and with which result. */
export function Usage() {
  const { feature } = useFeatureView();
  const { hours = 48 } = route.useSearch();
  const navigate = route.useNavigate();
  const [environment, setEnvironment] = useState<string | null>(null);
  const [application, setApplication] = useState<string | null>(null);
  const found = useQuery({
    ...read('GET /api/admin/client-metrics/features/:featureName/raw', {
      params: { featureName: feature.name },
      query: { hoursBack: String(hours) },
    }),
    refetchInterval: pollMs,
  });
  if (found.isPending) return <Waiting />;
  if (found.isError) return <Problem error={found.error} />;
  const all = found.data.data;
  const data = all.filter(
    (each) =>
      (environment === null || each.environment === environment) &&
      (application === null || each.appName === application),
  );
  const format = bucketMsFor(hours) > 3_600_000 ? shortDay : hourText;
  const points = usagePoints(data, hours, Date.now()).map(({ at, yes, no }) => ({
    time: format(new Date(at)),
    yes,
    no,
  }));
  const total = data.reduce((sum, { yes, no }) => sum + yes + no, 0);
  const variants = variantRows(variantSums(data), weightsIn(feature, environment));
  return (
    <Stack>
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={periods}
          value={String(hours)}
          onChange={(value) =>
            void navigate({
              search: (before) => ({ ...before, hours: Number(value) }),
              replace: true,
            })
          }
        />
        <Select
          size="xs"
          w={170}
          aria-label="Environment"
          placeholder="All environments"
          clearable
          data={[...new Set(all.map((each) => each.environment))]}
          value={environment}
          onChange={setEnvironment}
        />
        <Select
          size="xs"
          w={170}
          aria-label="Application"
          placeholder="All applications"
          clearable
          searchable
          data={[...new Set(all.map((each) => each.appName))]}
          value={application}
          onChange={setApplication}
        />
      </Group>
      {total === 0 ? (
        <EmptyState
          title={
            all.length > 0 || environment !== null || application !== null
              ? 'No matching evaluations in this period'
              : 'No evaluations in this period'
          }
          action={<ShowCode />}
        >
          SDKs report evaluations about once a minute.
        </EmptyState>
      ) : (
        <>
          <section className="card" aria-label="Evaluations over time">
            <Stack p="md" gap="xs">
              <Text size="sm" className="tabular" role="status">
                <b>{numberText(total)}</b> {agree(total, 'evaluation')}
              </Text>
              <Suspense fallback={<Skeleton h={240} />}>
                <UsageChart points={points} />
              </Suspense>
            </Stack>
          </section>
          <Sums title="Environment" rows={sumsBy(data, (each) => each.environment)} />
          <Sums title="Application" rows={sumsBy(data, (each) => each.appName)} />
          {variants.length > 0 && (
            <Table.ScrollContainer minWidth={300} className="card">
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Variant</Table.Th>
                    <Table.Th ta="right">Evaluations</Table.Th>
                    <Table.Th ta="right">Share</Table.Th>
                    <Table.Th ta="right">Weight</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {variants.map(({ name, times, share, weight }) => (
                    <Table.Tr key={name}>
                      <Table.Td>{name}</Table.Td>
                      <Table.Td ta="right" className="tabular">
                        {numberText(times)}
                      </Table.Td>
                      <Table.Td ta="right" className="tabular">
                        {share}
                      </Table.Td>
                      <Table.Td ta="right" className="tabular">
                        {weight}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
        </>
      )}
    </Stack>
  );
}
