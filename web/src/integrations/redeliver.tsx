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
import { numberText, plural } from '../ui/format.ts';
import { GuardedButton } from '../ui/guarded.tsx';
import { tellDone } from '../ui/notices.tsx';
import { Since } from '../ui/time.tsx';
import { readTime, timeZone } from '../ui/time-zone.ts';
import { useDirectory } from '../use-directory.ts';
import classes from './integrations.module.css';
import type { Integration } from './words.ts';

const hourMs = 3_600_000;

const sinces = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: 'all', label: 'All available' },
  { value: 'time', label: 'Custom…' },
];

/** More than the server takes at once is sent in several requests. */
async function redeliverSince(id: number, since: string | undefined): Promise<number> {
  let sent = 0;
  let afterEvent: number | undefined;
  for (;;) {
    const result = await api('POST /api/admin/addons/:id/redeliver', {
      params: { id: String(id) },
      body: {
        state: 'givenUp',
        retrying: true,
        ...(since !== undefined && { since }),
        ...(afterEvent !== undefined && { afterEvent }),
      },
    });
    sent += result.redelivered;
    if (!result.more) return sent;
    afterEvent = result.lastEvent;
  }
}

/** Retries everything that failed in a period, permanently or not. */
export function RedeliverFailed({ integration }: { readonly integration: Integration }) {
  const refusal = useRefusal('UPDATE_ADDON');
  const [isOpen, setOpen] = useState(false);
  const [choice, setChoice] = useState('24');
  const [time, setTime] = useState('');
  const since =
    choice === 'all'
      ? undefined
      : choice === 'time'
        ? time && readTime(time).toISOString()
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
        refusal={refusal ?? (givenUp + pending === 0 ? 'No failed deliveries' : undefined)}
        leftSection={<IconRefresh size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Retry failed
      </GuardedButton>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Retry failed deliveries"
        centered
        transitionProps={{ duration: 100 }}
      >
        <Stack>
          <Text size="sm">
            {numberText(givenUp)} failed permanently, {numberText(pending)} pending. Failed
            deliveries are retried now, oldest first, with the same ID and payload.
          </Text>
          <Select
            label="Period"
            data={sinces}
            allowDeselect={false}
            value={choice}
            onChange={(value) => value && setChoice(value)}
          />
          {choice === 'time' && (
            <TextInput
              type="datetime-local"
              label={timeZone() === 'UTC' ? 'Start time (UTC)' : 'Start time'}
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
              Retry
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

const fastPollMs = 1_000;
const slowPollMs = 15_000;
/** A finished redelivery is shown for a while, so that its result is seen. */
const shownMs = 10 * 60_000;

/** Redeliveries with their progress. */
export function Redeliveries({ id }: { readonly id: number }) {
  const { userBySignIn } = useDirectory();
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
                ? `Retried ${plural(total, 'delivery', 'deliveries')}`
                : `Retrying ${plural(total, 'delivery', 'deliveries')}`}
            </b>
            {': '}
            {numberText(delivered)} delivered, {numberText(pending)} pending, {numberText(givenUp)}{' '}
            failed
          </Text>
          <Text size="xs" className={`quiet ${classes.anywhere}`}>
            {startedBy !== undefined && `${userBySignIn(startedBy)?.name ?? startedBy} · `}
            <Since instant={startedAt} />
          </Text>
        </Group>
        <Progress.Root size="sm">
          <Progress.Section value={part(delivered)} color="teal.6" aria-label="Delivered" />
          <Progress.Section value={part(givenUp)} color="red.6" aria-label="Failed" />
        </Progress.Root>
      </section>
    );
  });
}
