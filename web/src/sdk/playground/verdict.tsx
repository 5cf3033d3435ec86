import { Badge, Group } from '@mantine/core';
import { IconCheck, IconHelp, IconX } from '@tabler/icons-react';
import classes from './playground.module.css';
import type { Decision } from './results.ts';

const stateText = ({ isEnabled, isUnknown }: Decision) =>
  isEnabled ? 'Enabled' : isUnknown ? 'Unknown' : 'Disabled';

/** What `Outcome` shows, for the name of a button: whoever speaks to a page says what they read. */
export const outcomeText = (decision: Decision): string =>
  [stateText(decision), decision.variant, decision.byChance ? 'random' : undefined]
    .filter((part) => part !== undefined)
    .join(' ');

export function Outcome({ decision }: { readonly decision: Decision }) {
  const { isEnabled, variant, byChance, isUnknown } = decision;
  const Icon = isUnknown ? IconHelp : isEnabled ? IconCheck : IconX;
  return (
    <Group gap={6} wrap="nowrap" component="span" className={classes.outcome ?? ''}>
      <Badge
        tt="none"
        variant="light"
        component="span"
        flex="none"
        color={isEnabled ? 'green' : isUnknown ? 'yellow' : 'red'}
        {...(isUnknown && { title: 'Only the application can evaluate this' })}
        leftSection={<Icon size={12} aria-hidden />}
      >
        {stateText(decision)}
      </Badge>{' '}
      {variant !== undefined && <span className={classes.variant}>{variant}</span>}{' '}
      {byChance && <span className={`quiet ${classes.variant}`}>random</span>}
    </Group>
  );
}
