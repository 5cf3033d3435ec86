import { Badge, Group, Text, Tooltip } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { Response } from '../api.ts';
import { useRefusal } from '../me.ts';
import { read } from '../queries.ts';
import classes from './events.module.css';
import { exactText, numberText } from './times.ts';

type DeliveryRecord = Response<'GET /api/admin/addons/:id/events'>['integrationEvents'][number];

const colors = { success: 'green', successWithErrors: 'yellow', failed: 'red' } as const;

/** What became of a delivery, in a few words. */
function outcomeOf({ state, details }: DeliveryRecord): string {
  const last = details.attempts.at(-1);
  if (state !== 'failed') {
    const took = last?.latencyMs;
    return `${state === 'success' ? 'told' : 'told, with errors'}${took === undefined ? '' : ` in ${numberText(Math.round(took))} ms`}`;
  }
  return last?.nextAttemptAt === undefined
    ? 'given up'
    : `failed, next try ${exactText(last.nextAttemptAt)}`;
}

/** So many integrations are asked; an installation rarely has more. */
const maxAsked = 12;

/** Which integrations were told of an event, and with what success. */
export function Told({ id }: { readonly id: number }) {
  const refusal = useRefusal('UPDATE_ADDON');
  const integrations = useQuery({
    ...read('GET /api/admin/addons', {}),
    enabled: refusal === undefined,
  }).data?.addons;
  const asked = (integrations ?? []).slice(0, maxAsked);
  const found = useQueries({
    queries: asked.map((integration) =>
      read('GET /api/admin/addons/:id/events', {
        params: { id: String(integration.id) },
        query: { event: String(id), limit: '1' },
      }),
    ),
  });
  if (refusal !== undefined || integrations === undefined) return null;
  const told = found.flatMap(({ data }, place) =>
    (data?.integrationEvents ?? []).map((record) => ({ record, integration: asked[place] })),
  );
  const isAsking = found.some(({ isPending }) => isPending);
  return (
    <div className={classes.field}>
      <span className="quiet">Told</span>
      {told.length === 0 ? (
        <Text size="sm" className="quiet">
          {isAsking
            ? '…'
            : integrations.length === 0
              ? 'nobody: there is no integration'
              : 'nobody'}
        </Text>
      ) : (
        <Group gap={6}>
          {told.map(({ record, integration }) => (
            <Tooltip key={record.id} label={record.stateDetails} multiline maw={360}>
              <Badge variant="light" tt="none" color={colors[record.state]} tabIndex={0}>
                {integration?.description || integration?.provider}: {outcomeOf(record)}
              </Badge>
            </Tooltip>
          ))}
        </Group>
      )}
    </div>
  );
}
