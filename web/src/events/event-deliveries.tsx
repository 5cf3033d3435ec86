import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Response } from '../api.ts';
import { useRefusal } from '../me.ts';
import { read } from '../queries.ts';
import { exactTime } from '../ui/dates.ts';
import { PageLink } from '../ui/link.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import classes from './events.module.css';

type Outcome = Response<'GET /api/admin/search/events/:id/deliveries'>['integrations'][number];

const colors = { delivered: 'green', pending: 'blue', failed: 'red', notSent: 'gray' } as const;

const nameOf = ({ description, provider }: Outcome): string => description || provider;

/** What became of a delivery, in a few words. */
function outcomeOf({ outcome, delivery }: Outcome): string {
  if (outcome === 'delivered') return 'delivered';
  if (outcome === 'pending') return 'waiting';
  return delivery?.nextAttemptAt === undefined
    ? 'given up'
    : `failed, next try ${exactTime(delivery.nextAttemptAt)}`;
}

/** Which integrations got an event, with what success, and why the others did not. */
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
      <span className="quiet">Integrations</span>
      <Stack gap={6}>
        {sent.length === 0 ? (
          <Text size="sm" className="quiet">
            {integrations.length === 0 ? 'nobody: there is no integration' : 'nobody'}
          </Text>
        ) : (
          <Group gap={6}>
            {sent.map((each) => (
              <Tooltip key={each.integrationId} label={each.why} multiline maw={360}>
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
                    {nameOf(each)}: {outcomeOf(each)}
                  </Badge>
                </PageLink>
              </Tooltip>
            ))}
          </Group>
        )}
        {notSent.length > 0 && (
          <MoreButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
            {notSent.length === 1
              ? 'Why was one integration not told?'
              : `Why were ${notSent.length} integrations not told?`}
          </MoreButton>
        )}
        {isOpen &&
          notSent.map((each) => (
            <Text key={each.integrationId} size="sm">
              <b>{nameOf(each)}</b>: {each.why}.
            </Text>
          ))}
      </Stack>
    </div>
  );
}
