import {
  Alert,
  Button,
  Group,
  Modal,
  Progress,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { useRefusal } from '../me.ts';
import { invalidate, read } from '../queries.ts';
import { plural } from '../ui/format.ts';
import { GuardedButton } from '../ui/guarded.tsx';
import { tellDone } from '../ui/notices.tsx';
import { Since } from '../ui/time.tsx';
import classes from './integrations.module.css';
import type { Integration } from './words.ts';

const hourMs = 3_600_000;

const sinces = [
  { value: '1', label: 'the last hour' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: 'all', label: 'all that are kept' },
  { value: 'time', label: 'a time …' },
];

/** More than the server takes at once is sent in several requests. */
async function redeliverSince(id: number, since: string | undefined): Promise<number> {
  let sent = 0;
  let afterEvent: number | undefined;
  for (;;) {
    const answer = await api('POST /api/admin/addons/:id/redeliver', {
      params: { id: String(id) },
      body: {
        state: 'givenUp',
        retrying: true,
        ...(since !== undefined && { since }),
        ...(afterEvent !== undefined && { afterEvent }),
      },
    });
    sent += answer.redelivered;
    if (!answer.more) return sent;
    afterEvent = answer.lastEvent;
  }
}

/** Sends everything again that failed since a time: what was given up, and what waits for another attempt. */
export function RedeliverFailed({ integration }: { readonly integration: Integration }) {
  const refusal = useRefusal('UPDATE_ADDON');
  const [isOpen, setOpen] = useState(false);
  const [choice, setChoice] = useState('24');
  const [time, setTime] = useState('');
  const since =
    choice === 'all'
      ? undefined
      : choice === 'time'
        ? time && new Date(time).toISOString()
        : new Date(Date.now() - Number(choice) * hourMs).toISOString();
  const redeliver = useMutation({
    mutationFn: () => redeliverSince(integration.id, since),
    onSuccess: async (sent) => {
      setOpen(false);
      tellDone({
        id: 'redelivered',
        title:
          sent === 0
            ? 'No failed deliveries in that period'
            : `${plural(sent, 'delivery', 'deliveries')} queued for retry`,
      });
      await invalidate(
        'GET /api/admin/addons/:id/deliveries',
        'GET /api/admin/addons/:id/redeliveries',
        'GET /api/admin/addons/:id/statistics',
        'GET /api/admin/addons/:id',
      );
    },
  });
  const { givenUp, pending } = integration.delivery;
  return (
    <>
      <GuardedButton
        variant="default"
        refusal={refusal ?? (givenUp + pending === 0 ? 'No delivery failed.' : undefined)}
        leftSection={<IconRefresh size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Send failed ones again
      </GuardedButton>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Send failed deliveries again"
        centered
        transitionProps={{ duration: 100 }}
      >
        <Stack>
          <Text size="sm">
            {plural(givenUp, 'delivery was', 'deliveries were')} given up, and {pending} wait. What
            was given up, or failed and waits for another attempt, is sent now: with the same id and
            content, oldest first.
          </Text>
          <Select
            label="Events since"
            data={sinces}
            allowDeselect={false}
            value={choice}
            onChange={(value) => value && setChoice(value)}
          />
          {choice === 'time' && (
            <TextInput
              type="datetime-local"
              label="Time"
              value={time}
              onChange={({ currentTarget }) => setTime(currentTarget.value)}
            />
          )}
          {redeliver.isError && (
            <Alert color="red" role="alert">
              {redeliver.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button
              loading={redeliver.isPending}
              disabled={choice === 'time' && time === ''}
              onClick={() => redeliver.mutate()}
            >
              Send again
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

const fastPollMs = 1_000;
const slowPollMs = 15_000;
/** A task that has ended is shown so long, so that somebody sees how it ended. */
const shownMs = 10 * 60_000;

/** What is being sent again, with its progress. */
export function Redeliveries({ id }: { readonly id: number }) {
  const tasks =
    useQuery({
      ...read('GET /api/admin/addons/:id/redeliveries', { params: { id: String(id) } }),
      refetchInterval: ({ state }) =>
        state.data?.redeliveries.some(({ pending }) => pending > 0) ? fastPollMs : slowPollMs,
    }).data?.redeliveries ?? [];
  const shown = tasks.filter(
    ({ pending, startedAt }) => pending > 0 || Date.now() - Date.parse(startedAt) < shownMs,
  );
  return shown.map(({ startedAt, startedBy, total, pending, delivered, givenUp }) => {
    const part = (count: number) => (100 * count) / total;
    return (
      <section key={startedAt} className={`card ${classes.figure}`} aria-label="Redelivery">
        <Group justify="space-between" mb={6}>
          <Text size="sm" role="status">
            <b>
              {pending === 0
                ? `${plural(total, 'delivery was', 'deliveries were')} sent again`
                : `Sending ${plural(total, 'delivery', 'deliveries')} again`}
            </b>
            {': '}
            {delivered} arrived, {pending} waiting, {givenUp} given up
          </Text>
          <Text size="xs" className={`quiet ${classes.anywhere}`}>
            {startedBy !== undefined && `${startedBy} · `}
            <Since instant={startedAt} />
          </Text>
        </Group>
        <Progress.Root size="sm">
          <Progress.Section value={part(delivered)} color="teal.6" aria-label="Arrived" />
          <Progress.Section value={part(givenUp)} color="red.6" aria-label="Given up" />
        </Progress.Root>
      </section>
    );
  });
}
