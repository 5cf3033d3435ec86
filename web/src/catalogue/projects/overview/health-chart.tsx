import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import type { Response } from '../../../api.ts';

type Day = Response<'GET /api/admin/projects/:projectId/health-history'>['days'][number];

const dayName = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

interface Props {
  readonly days: readonly Day[];
  readonly minHealth: number | null;
}

/** Health and features, day by day. */
export function HealthChart({ days, minHealth }: Props) {
  return (
    <LineChart
      h={220}
      data={days.map(({ day, health, total, stale, potentiallyStale }) => ({
        day: dayName.format(new Date(`${day}T12:00:00`)),
        Health: health,
        Features: total,
        'Stale or due': stale + potentiallyStale,
      }))}
      dataKey="day"
      series={[
        { name: 'Health', color: 'teal.6' },
        { name: 'Features', color: 'blue.5', strokeDasharray: '5 5', yAxisId: 'right' },
        { name: 'Stale or due', color: 'yellow.7', strokeDasharray: '2 3', yAxisId: 'right' },
      ]}
      yAxisProps={{ domain: [0, 100], tickFormatter: (value: number) => `${value} %` }}
      rightYAxisProps={{ allowDecimals: false }}
      withRightYAxis
      withLegend
      withDots={false}
      curveType="linear"
      {...(minHealth !== null && {
        referenceLines: [{ y: minHealth, label: 'Budget', color: 'yellow.7' }],
      })}
      lineProps={{ isAnimationActive: false }}
    />
  );
}
