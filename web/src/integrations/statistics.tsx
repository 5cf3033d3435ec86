import { Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { read } from '../queries.ts';
import { numberText, percent, plural } from '../ui/format.ts';
import { lazyPart } from '../ui/lazy-part.ts';
import { PageLink } from '../ui/link.tsx';
import { Problem } from '../ui/problem.tsx';
import { Since } from '../ui/time.tsx';
import { Countdown } from './countdown.tsx';
import classes from './integrations.module.css';
import { periods } from './search.ts';
import type { Integration } from './words.ts';

const OutcomeChart = lazyPart(() => import('./charts.tsx'), 'OutcomeChart');
const LatencyChart = lazyPart(() => import('./charts.tsx'), 'LatencyChart');

const route = getRouteApi('/shell/integrations/$id');

const periodNames = { 24: '24 hours', 168: '7 days', 720: '30 days' } as const;
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

/** Success rate, response time, and the deliveries that are pending or failed. */
export function IntegrationStatistics({ integration }: { readonly integration: Integration }) {
  const id = String(integration.id);
  // Read more often than the charts.
  const { pending, givenUp, oldestPendingAt, nextAttemptAt } = integration.delivery;
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
          Overview
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
            <Figure label="Success rate" note={plural(data.attempted, 'delivery', 'deliveries')}>
              {data.successRate === undefined ? '–' : percent(data.successRate, 1)}
            </Figure>
            <Figure
              label="Response time"
              note={data.latencyMs && `p95 ${numberText(data.latencyMs.p95)} ms`}
            >
              {data.latencyMs ? `p50 ${numberText(data.latencyMs.p50)} ms` : '–'}
            </Figure>
            <Figure
              label="Pending"
              note={
                oldestPendingAt !== undefined && (
                  <>
                    oldest <Since instant={oldestPendingAt} />
                    {nextAttemptAt !== undefined && (
                      <>
                        {' · next attempt '}
                        <Countdown until={nextAttemptAt} />
                      </>
                    )}
                  </>
                )
              }
            >
              {numberText(pending)}
            </Figure>
            <Figure
              label="Failed"
              note={
                givenUp > 0 && (
                  <PageLink
                    to="/integrations/$id"
                    params={{ id }}
                    search={{ ...(hours !== 24 && { hours }), state: 'givenUp' }}
                    inherit
                  >
                    View failed deliveries
                  </PageLink>
                )
              }
            >
              {numberText(givenUp)}
            </Figure>
          </div>
          {data.attempted === 0 ? (
            <Text size="sm" className="card quiet" p="md">
              No deliveries in this period
            </Text>
          ) : (
            <div className={classes.charts}>
              <section className="card" aria-label="Deliveries over time">
                <Stack p="md" gap="xs">
                  <Text size="sm" fw={500}>
                    Deliveries
                  </Text>
                  <Suspense fallback={<Skeleton h={200} />}>
                    <OutcomeChart periods={data.periods} hours={hours} />
                  </Suspense>
                </Stack>
              </section>
              <section className="card" aria-label="Response time over time">
                <Stack p="md" gap="xs">
                  <Text size="sm" fw={500}>
                    Response time
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
