import { Group, Progress, Text, VisuallyHidden } from '@mantine/core';
import { fieldChange, percent, plural } from '../../ui/format.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import classes from './projects.module.css';

/** Below these, a health is shown as a warning and as bad. */
const fair = 60;
const poor = 40;

interface HealthProps {
  readonly health: number;
  readonly reason: string;
}

/** The health of a project as a bar and a number, with its reason. */
export const Health = ({ health, reason }: HealthProps) => (
  <Tooltip label={reason} multiline maw={280}>
    <Group gap={8} wrap="nowrap" className={classes.health}>
      <Progress
        value={health}
        flex={1}
        size="sm"
        color={health < poor ? 'red' : health < fair ? 'yellow' : 'teal'}
        aria-label={`Health ${percent(health)}. ${reason}`}
      />
      <Text size="sm" className={`tabular ${classes.percent}`} ta="right">
        {percent(health)}
      </Text>
    </Group>
  </Tooltip>
);

const width = 56;
const height = 18;

/** The path of a small line through values from 0 to 100. */
const lineThrough = (values: readonly number[]): string =>
  values
    .map((value, index) => {
      const x = (index / Math.max(1, values.length - 1)) * width;
      const y = 1 + (1 - value / 100) * (height - 2);
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join(' ');

/** The health of each week. A chart of the library in every row would make long lists slow. */
export function Trend({ weeks }: { readonly weeks: readonly number[] }) {
  const first = weeks[0];
  const last = weeks.at(-1);
  if (first === undefined || last === undefined || weeks.length < 2) {
    // A project of this week has none yet. The bars of all stay of one length.
    return <span className={classes.trend} />;
  }
  const change = last - first;
  const words = change === 0 ? 'No change' : `${change > 0 ? '▲' : '▼'} ${Math.abs(change)}`;
  const span = plural(weeks.length - 1, 'week');
  const meaning =
    change === 0
      ? `Health unchanged for ${span}`
      : `${fieldChange('Health:', percent(first), percent(last))} over ${span}`;
  return (
    <Tooltip label={meaning}>
      <Group gap={6} wrap="nowrap" className={classes.trend}>
        <svg width={width} height={height} aria-hidden="true">
          <path d={lineThrough(weeks)} fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
        <Text size="xs" className="quiet tabular" aria-hidden>
          {words}
        </Text>
        <VisuallyHidden>{meaning}</VisuallyHidden>
      </Group>
    </Tooltip>
  );
}
