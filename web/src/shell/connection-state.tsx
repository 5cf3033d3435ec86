import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useConnection, useConnectionLost } from '../live.ts';
import { read } from '../queries.ts';
import { Tooltip } from '../ui/tooltip.tsx';

interface NoticeProps {
  readonly help: string;
  readonly children: string;
}

const Notice = ({ help, children }: NoticeProps) => (
  <Tooltip label={help} multiline maw={280}>
    <Badge variant="light" color="yellow" tt="none" role="status" tabIndex={0}>
      {children}
    </Badge>
  </Tooltip>
);

/** Says if data may be outdated or changes are disabled. */
export function ConnectionState() {
  const connection = useConnection();
  const isLost = useConnectionLost();
  const isReadOnly = useQuery(read('GET /api/admin/ui-config', {})).data?.maintenanceMode ?? false;
  return (
    <span data-connection={connection}>
      {isLost ? (
        <Notice help="Can't reach the server. Data may be outdated. Your unsaved changes are kept.">
          Reconnecting…
        </Notice>
      ) : (
        isReadOnly && (
          <Notice help="Maintenance mode: changes are disabled. SDKs aren't affected.">
            Read-only
          </Notice>
        )
      )}
    </span>
  );
}
