import type {
  IntegrationEvent,
  Message,
  Parameters,
  Provider,
  Verdict,
} from '../../../src/modules/integrations/providers/provider.ts';
import { createOutgoing } from '../../../src/platform/outgoing/send.ts';
import { baseUrl, sentAt } from './sent-events.ts';

export const sendingId = '019cb8a2-0000-7000-8000-000000000001';

interface DeliverOptions {
  readonly now?: Date;
  /** By default longer than any delay of a busy machine. */
  readonly timeoutMs?: number;
}

/** The parameters for composing a message. It is stored, so secrets are omitted. */
const plainOf = ({ parameters }: Provider, all: Parameters): Parameters => {
  const secret = new Set(parameters.filter(({ sensitive }) => sensitive).map(({ name }) => name));
  return Object.fromEntries(Object.entries(all).filter(([name]) => !secret.has(name)));
};

/** The message as it is read from the database. */
export const compose = (
  provider: Provider,
  event: IntegrationEvent,
  parameters: Parameters,
): Message =>
  JSON.parse(JSON.stringify(provider.compose(event, plainOf(provider, parameters), { baseUrl })));

/** One attempt, through the same outgoing code as every request. */
export const deliver = async (
  provider: Provider,
  event: IntegrationEvent,
  parameters: Parameters,
  { now = sentAt, timeoutMs = 60_000 }: DeliverOptions = {},
): Promise<Verdict> => {
  const outgoing = createOutgoing({ privateTargets: ['127.0.0.1'], loopback: false });
  try {
    return await provider.deliver(compose(provider, event, parameters), parameters, {
      id: sendingId,
      now,
      send: (request) => outgoing.send(request, { timeoutMs }),
    });
  } finally {
    outgoing.close();
  }
};
