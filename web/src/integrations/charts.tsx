import { hourText, shortDay } from '../ui/dates.ts';
import { numberText } from '../ui/format.ts';
import '@mantine/core/styles/ColorSwatch.layer.css';
import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import type { Response } from '../api.ts';

type Period = Response<'GET /api/admin/addons/:id/statistics'>['periods'][number];

interface Props {
  readonly periods: readonly Period[];
  readonly hours: number;
}

const timeOf = (hours: number) => {
  const format = hours > 48 ? shortDay : hourText;
  return ({ from }: Period) => format(from);
};

/** Results of deliveries over time. A chunk of its own: charts are large. */
export function OutcomeChart({ periods, hours }: Props) {
  const time = timeOf(hours);
  return (
    <BarChart
      h={200}
      type="stacked"
      dataKey="time"
      withLegend
      maxBarWidth={24}
      data={periods.map((period) => ({
        time: time(period),
        delivered: period.success,
        partly: period.successWithErrors,
        failed: period.failed,
      }))}
      series={[
        { name: 'delivered', label: 'Delivered', color: 'teal.6' },
        { name: 'partly', label: 'Partial', color: 'yellow.6' },
        { name: 'failed', label: 'Failed', color: 'red.6' },
      ]}
      yAxisProps={{ allowDecimals: false }}
      barProps={{ isAnimationActive: false }}
    />
  );
}

/** Response times over time. */
export function LatencyChart({ periods, hours }: Props) {
  const time = timeOf(hours);
  return (
    <LineChart
      h={200}
      dataKey="time"
      withLegend
      withDots
      curveType="linear"
      connectNulls
      data={periods.map((period) => ({
        time: time(period),
        median: period.latencyMs?.p50 ?? null,
        slow: period.latencyMs?.p95 ?? null,
      }))}
      series={[
        { name: 'median', label: 'p50', color: 'teal.6' },
        { name: 'slow', label: 'p95', color: 'yellow.7', strokeDasharray: '4 3' },
      ]}
      valueFormatter={(value) => `${numberText(value)} ms`}
      yAxisProps={{ width: 72 }}
      lineProps={{ isAnimationActive: false }}
    />
  );
}
