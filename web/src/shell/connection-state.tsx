import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useConnection } from '../live.ts';
import { read } from '../queries.ts';
import { Tooltip } from '../ui/tooltip.tsx';

/** Whether what is shown is what is true, and whether it can be changed now. */
export function ConnectionState() {
  const connection = useConnection();
  const isReadOnly = useQuery(read('GET /api/admin/ui-config', {})).data?.maintenanceMode ?? false;
  if (connection !== 'live') {
    return (
      <Tooltip label="The server does not answer. What you see may be old; what you typed stays.">
        <Badge variant="light" color="yellow" tt="none" role="status" tabIndex={0}>
          reconnecting…
        </Badge>
      </Tooltip>
    );
  }
  if (isReadOnly) {
    return (
      <Tooltip
        label="Maintenance: everything can be read, and nothing can be changed. SDKs go on as usual."
        multiline
        maw={280}
      >
        <Badge variant="light" color="yellow" tt="none" role="status" tabIndex={0}>
          read-only
        </Badge>
      </Tooltip>
    );
  }
  return (
    <Tooltip label="Changes of others appear without a reload">
      <Badge variant="light" color="teal" tt="none" tabIndex={0} role="status">
        live
      </Badge>
    </Tooltip>
  );
}
