import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { chosenTimeZone } from '../ui/dates.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { tellDone } from '../ui/notices.tsx';
import { countChanges } from './change-words.ts';
import { refreshRequests } from './refresh.ts';

interface Props {
  readonly project: string;
  readonly feature: string;
  readonly environment: string;
  /** Whether it is enabled now. */
  readonly enabled: boolean;
  readonly onClose: () => void;
}

/** Proposes the change, and schedules it where no one has to approve it. Otherwise the draft says what is next. */
async function schedule(
  { project, feature, environment }: Props,
  enabled: boolean,
  scheduledAt: string,
  timeZone: string,
): Promise<string> {
  const request = await api(
    'POST /api/admin/projects/:projectId/environments/:environment/change-requests',
    {
      params: { projectId: project, environment },
      body: { feature, action: 'updateEnabled', payload: { enabled } },
    },
  );
  const verb = enabled ? 'enable' : 'disable';
  // Others of a draft would be scheduled with it.
  if (request.minApprovals > 0 || countChanges(request) > 1) {
    return `Added to your draft for ${environment}`;
  }
  await api('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
    params: { projectId: project, id: String(request.id) },
    body: { state: 'Scheduled', scheduledAt, timeZone, hash: request.hash },
  });
  return `Scheduled to ${verb} ${feature} in ${environment}`;
}

/** Enables or disables a feature in an environment at a later time. */
export function ScheduleSwitch(props: Props) {
  const { feature, environment, enabled, onClose } = props;
  const [wanted, setWanted] = useState(enabled ? 'off' : 'on');
  const [at, setAt] = useState('');
  const timeZone = chosenTimeZone();
  const saving = useMutation({
    mutationFn: () => schedule(props, wanted === 'on', at, timeZone),
    onSuccess: (title) => {
      tellDone({ id: `schedule ${feature} ${environment}`, title });
      onClose();
    },
    onSettled: refreshRequests,
  });
  return (
    <FormDialog
      title={`Schedule ${feature} in ${environment}`}
      action="Schedule"
      missing={at === '' ? 'Select a time' : undefined}
      sending={{ ...saving, mutate: () => saving.mutate() }}
      onClose={onClose}
    >
      <Radio.Group label="Action" value={wanted} onChange={setWanted}>
        <Stack gap={6} mt={4}>
          <Radio value="on" label="Enable" />
          <Radio value="off" label="Disable" />
        </Stack>
      </Radio.Group>
      <TextInput
        type="datetime-local"
        label="When"
        description={timeZone}
        required
        value={at}
        onChange={({ currentTarget }) => setAt(currentTarget.value)}
      />
      <Text size="sm" className="quiet">
        If changes in {environment} need approval, or if you have a draft there, this is added to
        your draft instead. The schedule is suspended if you lose the permission for this change.
      </Text>
    </FormDialog>
  );
}
