import { Alert, Switch, Text } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import classes from '../admin.module.css';

/** Nobody changes anything while it is on. */
export function Maintenance() {
  const refusal = useRefusal('UPDATE_MAINTENANCE_MODE');
  return (
    <Page
      title="Maintenance"
      lead="For a backup, a move or an upgrade: nobody changes anything, and everything can still be read."
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
        <Alert color="yellow" title="Maintenance is on">
          Whoever wants to change something is told to wait.
        </Alert>
      )}
      <div className="card">
        <div className={classes.setting}>
          <div>
            <Text size="sm" fw={600}>
              Maintenance mode
            </Text>
            <Text size="sm" className="quiet">
              SDKs get their features, people sign in and read, integrations deliver what happened
              before. Every change is refused with 503.
            </Text>
          </div>
          <Switch
            aria-label="Maintenance mode"
            checked={enabled}
            disabled={end.isPending}
            onChange={() => (enabled ? end.mutate() : setAsking(true))}
          />
        </div>
      </div>
      {isAsking && (
        <Confirm
          title="Switch maintenance on?"
          action="Switch on"
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
            Nobody can switch a feature any more, in an emergency neither, until you switch it off
            here.
          </Text>
        </Confirm>
      )}
    </>
  );
}
