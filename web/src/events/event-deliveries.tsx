import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Response } from '../api.ts';
import { useRefusal } from '../me.ts';
import { read } from '../queries.ts';
import { exactTime, sinceText } from '../ui/dates.ts';
import { plural } from '../ui/format.ts';
import { PageLink } from '../ui/link.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import classes from './events.module.css';

type Outcome = Response<'GET /api/admin/search/events/:id/deliveries'>['integrations'][number];

const colors = { delivered: 'green', pending: 'blue', failed: 'red', notSent: 'gray' } as const;

const nameOf = ({ description, provider }: Outcome): string => description || provider;

/** The result of a delivery. */
function outcomeOf({ outcome, delivery }: Outcome): string {
  if (outcome === 'delivered') return 'Delivered';
  if (outcome === 'pending') return 'Pending';
  return delivery?.nextAttemptAt === undefined
    ? 'Failed'
    : `Retrying ${sinceText(delivery.nextAttemptAt, new Date())}`;
}

/** Why, and the exact time of the next attempt. */
const detailsOf = ({ why, delivery }: Outcome): string =>
  delivery?.nextAttemptAt === undefined
    ? why
    : `${why} · Next attempt ${exactTime(delivery.nextAttemptAt)}`;

/** The deliveries of an event, and why other integrations were skipped. */
export function EventDeliveries({ id }: { readonly id: number }) {
  const refusal = useRefusal('UPDATE_ADDON');
  const [isOpen, setOpen] = useState(false);
  const integrations = useQuery({
    ...read('GET /api/admin/search/events/:id/deliveries', { params: { id: String(id) } }),
    enabled: refusal === undefined,
  }).data?.integrations;
  if (refusal !== undefined || integrations === undefined) return null;
  const sent = integrations.filter(({ outcome }) => outcome !== 'notSent');
  const notSent = integrations.filter(({ outcome }) => outcome === 'notSent');
  return (
    <div className={classes.field}>
      <span className="quiet">Deliveries</span>
      <Stack gap={6}>
        {sent.length === 0 ? (
          <Text size="sm" className="quiet">
            {integrations.length === 0 ? 'No integrations yet' : 'Not sent to any integration'}
          </Text>
        ) : (
          <Group gap={6}>
            {sent.map((each) => (
              <Tooltip key={each.integrationId} label={detailsOf(each)} multiline maw={360}>
                <PageLink
                  to="/integrations/$id"
                  params={{ id: String(each.integrationId) }}
                  search={{ event: id, ...(each.delivery && { delivery: each.delivery.id }) }}
                >
                  <Badge
                    variant="light"
                    tt="none"
                    color={colors[each.outcome]}
                    classNames={{ root: classes.delivery ?? '', label: classes.deliveryText ?? '' }}
                  >
                    {nameOf(each)} · {outcomeOf(each)}
                  </Badge>
                </PageLink>
              </Tooltip>
            ))}
          </Group>
        )}
        {notSent.length > 0 && (
          <MoreButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
            {plural(notSent.length, 'integration')} skipped
          </MoreButton>
        )}
        {isOpen &&
          notSent.map((each) => (
            <Text key={each.integrationId} size="sm">
              <b>{nameOf(each)}</b> · {each.why}
            </Text>
          ))}
      </Stack>
    </div>
  );
}
