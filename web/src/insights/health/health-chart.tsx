import { shortDay } from '../../ui/dates.ts';
import { percent } from '../../ui/format.ts';
import '@mantine/core/styles/ColorSwatch.layer.css';
import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import type { Response } from '../../api.ts';

type Day = Response<'GET /api/admin/projects/:projectId/health-history'>['days'][number];

interface Props {
  readonly days: readonly Day[];
  readonly minHealth: number | null;
  /** The days on which the health changed. */
  readonly moved: ReadonlySet<string>;
}

interface MarkProps {
  readonly cx: number | undefined;
  readonly cy: number | undefined;
  readonly moved: boolean;
}

/** A mark on the line, where something moved it. */
const MoveMark = ({ cx, cy, moved }: MarkProps) =>
  moved && cx !== undefined && cy !== undefined ? (
    <circle
      cx={cx}
      cy={cy}
      r={4}
      fill="var(--card-background)"
      stroke="var(--mantine-color-teal-6)"
      strokeWidth={2}
    />
  ) : (
    <g />
  );

/** Health and features by day, with marks on the days on which the health changed. */
export function HealthChart({ days, minHealth, moved }: Props) {
  return (
    <LineChart
      h={240}
      data={days.map(({ day, health, total, stale, potentiallyStale }) => ({
        day: shortDay(`${day}T12:00:00`),
        Health: health,
        Features: total,
        'Needs cleanup': stale + potentiallyStale,
        moved: moved.has(day),
      }))}
      dataKey="day"
      series={[
        { name: 'Health', color: 'teal.6' },
        { name: 'Features', color: 'blue.5', strokeDasharray: '5 5', yAxisId: 'right' },
        {
          name: 'Needs cleanup',
          color: 'var(--cleanup-line)',
          strokeDasharray: '2 3',
          yAxisId: 'right',
        },
      ]}
      yAxisProps={{ domain: [0, 100], tickFormatter: (value: number) => percent(value) }}
      rightYAxisProps={{ allowDecimals: false }}
      withRightYAxis
      withLegend
      curveType="linear"
      {...(minHealth !== null && {
        referenceLines: [{ y: minHealth, label: 'Budget', color: 'var(--cleanup-line)' }],
      })}
      lineProps={({ name }) => ({
        isAnimationActive: false,
        dot:
          name === 'Health'
            ? ({ key, cx, cy, payload }) => (
                <MoveMark key={key} cx={cx} cy={cy} moved={payload?.moved === true} />
              )
            : false,
      })}
    />
  );
}
