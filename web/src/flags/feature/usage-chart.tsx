import { numberText } from '../../ui/format.ts';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';

interface Point {
  readonly time: string;
  readonly yes: number;
  readonly no: number;
}

/** Evaluations over time. It is a chunk of its own: charts are large, and few people look at them. */
export const UsageChart = ({ points }: { readonly points: readonly Point[] }) => (
  <BarChart
    h={240}
    data={[...points]}
    dataKey="time"
    type="stacked"
    withLegend
    maxBarWidth={28}
    valueFormatter={numberText}
    series={[
      { name: 'yes', label: 'on', color: 'teal.6' },
      { name: 'no', label: 'off', color: 'yellow.6' },
    ]}
  />
);
