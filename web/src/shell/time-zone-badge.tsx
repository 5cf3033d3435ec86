import { Badge } from '@mantine/core';
import { useTimeZone } from '../ui/time-zone.ts';
import { Tooltip } from '../ui/tooltip.tsx';

/** Says that times are in UTC, on every page. */
export function TimeZoneBadge() {
  if (useTimeZone() === 'local') return null;
  return (
    <Tooltip label="Times are shown in UTC. Change this in the account menu." multiline maw={280}>
      <Badge variant="light" color="gray" tabIndex={0}>
        UTC
      </Badge>
    </Tooltip>
  );
}
