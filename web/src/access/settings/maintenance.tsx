import { Alert, Text } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { SettingRow } from './setting-row.tsx';

/** Makes Burgee read-only. */
export function Maintenance() {
  const refusal = useRefusal('UPDATE_MAINTENANCE_MODE');
  return (
    <Page
      title="Maintenance mode"
      lead="Make Burgee read-only during a backup, migration, or upgrade."
      refusal={refusal}
    >
      <Mode />
    </Page>
  );
}

async function setMode(enabled: boolean): Promise<void> {
  await api('POST /api/admin/maintenance', { body: { enabled } });
  await invalidate('GET /api/admin/maintenance', 'GET /api/admin/ui-config');
}

function Mode() {
  const { enabled } = useSuspenseQuery(read('GET /api/admin/maintenance', {})).data;
  const [isAsking, setAsking] = useState(false);
  const end = useMutation({
    mutationFn: () => setMode(false),
    onSuccess: () => tellDone({ id: 'maintenance', title: 'Maintenance mode disabled' }),
    onError: (error) => tellProblem('disable maintenance mode', error),
  });
  return (
    <>
      {enabled && (
        <Alert color="yellow" title="Maintenance mode is enabled">
          All changes are blocked until you disable it.
        </Alert>
      )}
      <SettingRow
        title="Maintenance mode"
        description="SDKs keep getting features, users can sign in and browse, and pending deliveries are sent. All changes fail with 503."
        checked={enabled}
        isSaving={end.isPending}
        onChange={() => (enabled ? end.mutate() : setAsking(true))}
      />
      {isAsking && (
        <Confirm
          title="Enable maintenance mode?"
          action="Enable maintenance mode"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await setMode(true);
            tellDone({
              id: 'maintenance',
              title: 'Maintenance mode enabled',
              undo: () => setMode(false),
            });
          }}
        >
          <Text size="sm">
            No one can enable or disable features, even in an emergency, until maintenance mode is
            disabled here.
          </Text>
        </Confirm>
      )}
    </>
  );
}
