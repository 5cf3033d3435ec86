import { Alert, Badge, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, isGone } from '../api.ts';
import { EventSentence } from '../events/event-sentence.tsx';
import { useRefusal } from '../me.ts';
import { invalidate, read } from '../queries.ts';
import { Actor } from '../ui/actor.tsx';
import { GuardedButton } from '../ui/guarded.tsx';
import { PageLink } from '../ui/link.tsx';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { Problem } from '../ui/problem.tsx';
import { Since } from '../ui/time.tsx';
import { Countdown } from './countdown.tsx';
import { AttemptView, messageOf } from './exchange.tsx';
import classes from './integrations.module.css';
import { pollMs } from './reads.ts';
import { type Delivery, type Integration, statusOf } from './words.ts';

interface Props {
  readonly integration: Integration;
  readonly recordId: string;
  /** Its row, if it is on the page of the list that is shown. */
  readonly known: Delivery | undefined;
  readonly onClose: () => void;
}

/** One delivery: the message, every attempt with its response, and the time of the next one. */
export function DeliveryDrawer({ integration, recordId, known, onClose }: Props) {
  const refusal = useRefusal('UPDATE_ADDON');
  const params = { id: String(integration.id), recordId };
  const found = useQuery({
    ...read('GET /api/admin/addons/:id/events/:recordId', { params }),
    // There is no record before its first attempt.
    retry: (count, error) => !isGone(error) && count < 3,
    refetchInterval: pollMs,
  });
  const redeliver = useMutation({
    mutationFn: () => api('POST /api/admin/addons/:id/events/:recordId/redeliver', { params }),
    onSuccess: async () => {
      tellDone({
        id: 'redelivered',
        title: known?.state === 'pending' ? 'Retrying now' : 'Redelivery started',
      });
      await invalidate(
        'GET /api/admin/addons/:id/deliveries',
        'GET /api/admin/addons/:id/events/:recordId',
        'GET /api/admin/addons/:id/redeliveries',
        'GET /api/admin/addons/:id',
      );
    },
    onError: (error) => tellProblem('redeliver', error),
  });
  const record = found.data;
  const attempts = record?.details.attempts ?? [];
  const nextAttemptAt = known?.nextAttemptAt ?? attempts.at(-1)?.nextAttemptAt;
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size="xl"
      transitionProps={{ duration: 100 }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label="Delivery">
        <Drawer.Body>
          <Stack>
            <Group justify="space-between">
              <Title order={2} size="h5">
                Delivery
              </Title>
              <Drawer.CloseButton aria-label="Close" />
            </Group>
            {record && (
              <Text component="div">
                <EventSentence event={record.event} />{' '}
                <Text span size="sm" className="quiet">
                  <Since instant={record.event.createdAt} />
                </Text>
              </Text>
            )}
            {known && (
              <div role="status">
                <Group gap="xs">
                  <Badge variant="light" tt="none" color={statusOf(known).color}>
                    {statusOf(known).label}
                  </Badge>
                  {known.state === 'pending' && nextAttemptAt !== undefined && (
                    <Text size="sm">
                      Next attempt <Countdown until={nextAttemptAt} />
                    </Text>
                  )}
                </Group>
                <Text size="sm" mt={4} className={classes.anywhere}>
                  {known.why}
                </Text>
              </div>
            )}
            {record?.redeliveredAt !== undefined && (
              <Text size="sm" className={`quiet ${classes.anywhere}`}>
                Redelivered{' '}
                {record.redeliveredBy !== undefined && (
                  <>
                    by <Actor name={record.redeliveredBy} />{' '}
                  </>
                )}
                <Since instant={record.redeliveredAt} />
              </Text>
            )}
            <Group>
              <GuardedButton
                size="xs"
                refusal={refusal}
                loading={redeliver.isPending}
                leftSection={<IconRefresh size={14} aria-hidden />}
                onClick={() => redeliver.mutate()}
              >
                {known?.state === 'pending' ? 'Retry now' : 'Redeliver'}
              </GuardedButton>
              {record && (
                <PageLink to="/history" search={{ event: record.event.id }} size="sm">
                  View event
                </PageLink>
              )}
            </Group>
            {found.isPending && <Skeleton h={240} aria-busy />}
            {found.isError &&
              (isGone(found.error) ? (
                <Alert color="gray">No attempts yet</Alert>
              ) : (
                <Problem error={found.error} />
              ))}
            {record && attempts.length === 0 && (
              <Alert color="gray">{record.stateDetails || 'No attempts yet'}</Alert>
            )}
            {record &&
              [...attempts]
                .reverse()
                .map((attempt, place) => (
                  <AttemptView
                    key={attempt.at}
                    attempt={attempt}
                    message={messageOf(record.details)}
                    title={`Attempt ${attempts.length - place}`}
                  />
                ))}
          </Stack>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
