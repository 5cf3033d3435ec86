import { numberText } from '../../ui/format.ts';
import '@mantine/core/styles/ColorSwatch.layer.css';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';

interface Point {
  readonly time: string;
  readonly yes: number;
  readonly no: number;
}

/** Evaluations over time. It is a chunk of its own, because charts are large and rarely opened. */
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
      { name: 'yes', label: 'Enabled', color: 'teal.6' },
      { name: 'no', label: 'Disabled', color: 'yellow.6' },
    ]}
  />
);
