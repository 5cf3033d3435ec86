import { Badge } from '@mantine/core';
import { type FeatureState, stateNames } from './feature-words.ts';

interface Props {
  readonly state: FeatureState;
  readonly className?: string | undefined;
}

/** Active, Potentially stale or Stale. */
export const StateBadge = ({ state, className = '' }: Props) =>
  state === 'active' ? (
    <span className="quiet">{stateNames.active}</span>
  ) : (
    <Badge size="sm" color="yellow" variant="light" tt="none" className={className}>
      {stateNames[state]}
    </Badge>
  );
