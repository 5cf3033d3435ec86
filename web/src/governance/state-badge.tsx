import { Badge } from '@mantine/core';
import { exactTime } from '../ui/dates.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { type ChangeRequest, type RequestState, stateColors, stateText } from './change-words.ts';

interface Props {
  readonly state: RequestState;
  readonly schedule?: ChangeRequest['schedule'];
  readonly emergency?: ChangeRequest['emergency'];
}

const scheduleText = ({ status, scheduledAt, reason }: NonNullable<Props['schedule']>): string => {
  if (status === 'pending') return `Will be applied on ${exactTime(scheduledAt)}`;
  return `${status === 'failed' ? 'Failed' : 'Suspended'}: ${reason ?? exactTime(scheduledAt)}`;
};

/** The state of a change request: of a scheduled one also when, or why not; of an emergency whether it was reviewed. */
export const StateBadge = ({ state, schedule, emergency }: Props) => {
  if (emergency && emergency.reviewedAt === undefined) {
    return (
      <Badge color="orange" variant="light" tt="none">
        Emergency · not reviewed yet
      </Badge>
    );
  }
  const isStopped = schedule !== undefined && schedule.status !== 'pending';
  const badge = (
    <Badge color={isStopped ? 'orange' : stateColors[state]} variant="light" tt="none">
      {isStopped ? `Schedule ${schedule.status}` : stateText(state)}
    </Badge>
  );
  return schedule === undefined ? badge : <Tooltip label={scheduleText(schedule)}>{badge}</Tooltip>;
};
