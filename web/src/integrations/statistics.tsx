import { Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { read } from '../queries.ts';
import { numberText, percent } from '../ui/format.ts';
import { lazyPart } from '../ui/lazy-part.ts';
import { Problem } from '../ui/problem.tsx';
import { Since } from '../ui/time.tsx';
import { Countdown } from './countdown.tsx';
import classes from './integrations.module.css';
import { periods } from './search.ts';
import type { Integration } from './words.ts';

const OutcomeChart = lazyPart(() => import('./charts.tsx'), 'OutcomeChart');
const LatencyChart = lazyPart(() => import('./charts.tsx'), 'LatencyChart');

const route = getRouteApi('/shell/integrations/$id');

const periodNames = { 24: '24 h', 168: '7 days', 720: '30 days' } as const;
const statisticsPollMs = 15_000;

interface FigureProps {
  readonly label: string;
  readonly children: ReactNode;
  readonly note?: ReactNode;
}

const Figure = ({ label, children, note }: FigureProps) => (
  <div className={`card ${classes.figure}`}>
    <Text size="xs" className="quiet">
      {label}
    </Text>
    <Text size="xl" fw={650} className="tabular">
      {children}
    </Text>
    <Text size="xs" className="quiet tabular">
      {note}
    </Text>
  </div>
);

/** How much arrived, how fast, and what waits. */
export function IntegrationStatistics({ integration }: { readonly integration: Integration }) {
  const id = String(integration.id);
  // As it stands above: read with the integration, and more often than the charts.
  const { pending, oldestPendingAt, nextAttemptAt } = integration.delivery;
  const { hours = 24 } = route.useSearch();
  const navigate = route.useNavigate();
  const found = useQuery({
    ...read('GET /api/admin/addons/:id/statistics', {
      params: { id },
      query: { hours: String(hours) },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: statisticsPollMs,
  });
  if (found.isError) return <Problem error={found.error} />;
  const data = found.data;
  return (
    <section aria-label="Statistics">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          How it is doing
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={periods.map((each) => ({ value: String(each), label: periodNames[each] }))}
          value={String(hours)}
          onChange={(value) =>
            void navigate({
              search: ({ hours: _, ...before }) => ({
                ...before,
                ...(value !== '24' && { hours: Number(value) as 168 | 720 }),
              }),
              replace: true,
            })
          }
        />
      </Group>
      {data === undefined ? (
        <Skeleton h={320} aria-busy />
      ) : (
        <Stack>
          <div className={classes.figures}>
            <Figure label="Arrived" note={`${numberText(data.attempted)} tried`}>
              {data.successRate === undefined ? '–' : percent(data.successRate, 1)}
            </Figure>
            <Figure
              label="Answer time"
              note={data.latencyMs && `95 of 100 within ${numberText(data.latencyMs.p95)} ms`}
            >
              {data.latencyMs ? `${numberText(data.latencyMs.p50)} ms` : '–'}
            </Figure>
            <Figure
              label="Waiting"
              note={
                oldestPendingAt !== undefined && (
                  <>
                    the oldest since <Since instant={oldestPendingAt} />
                  </>
                )
              }
            >
              {numberText(pending)}
            </Figure>
            <Figure
              label="Next attempt"
              note={nextAttemptAt === undefined && (pending === 0 ? 'nothing waits' : 'not now')}
            >
              {nextAttemptAt === undefined ? '–' : <Countdown until={nextAttemptAt} />}
            </Figure>
          </div>
          {data.attempted === 0 ? (
            <Text size="sm" className="card quiet" p="md">
              Nothing was sent in this time. Charts appear with the first delivery.
            </Text>
          ) : (
            <div className={classes.charts}>
              <section className="card" aria-label="Deliveries by time">
                <Stack p="md" gap="xs">
                  <Text size="sm" fw={500}>
                    Deliveries
                  </Text>
                  <Suspense fallback={<Skeleton h={200} />}>
                    <OutcomeChart periods={data.periods} hours={hours} />
                  </Suspense>
                </Stack>
              </section>
              <section className="card" aria-label="Answer time by time">
                <Stack p="md" gap="xs">
                  <Text size="sm" fw={500}>
                    Answer time
                  </Text>
                  <Suspense fallback={<Skeleton h={200} />}>
                    <LatencyChart periods={data.periods} hours={hours} />
                  </Suspense>
                </Stack>
              </section>
            </div>
          )}
        </Stack>
      )}
    </section>
  );
}
