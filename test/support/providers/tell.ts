import type {
  IntegrationEvent,
  Message,
  Parameters,
  Provider,
  Verdict,
} from '../../../src/modules/integrations/providers/provider.ts';
import { createOutgoing } from '../../../src/platform/outgoing/send.ts';
import { baseUrl, toldAt } from './sent-events.ts';

export const sendingId = '019cb8a2-0000-7000-8000-000000000001';

interface Circumstances {
  readonly now?: Date;
  readonly timeoutMs?: number;
}

/** What the message is made of: it is stored, and so no secret is at hand. */
const plainOf = ({ parameters }: Provider, all: Parameters): Parameters => {
  const secret = new Set(parameters.filter(({ sensitive }) => sensitive).map(({ name }) => name));
  return Object.fromEntries(Object.entries(all).filter(([name]) => !secret.has(name)));
};

/** The message as it comes back from where it was stored. */
export const compose = (
  provider: Provider,
  event: IntegrationEvent,
  parameters: Parameters,
): Message =>
  JSON.parse(JSON.stringify(provider.compose(event, plainOf(provider, parameters), { baseUrl })));

/** One attempt, over the way that every request takes. */
export const tell = async (
  provider: Provider,
  event: IntegrationEvent,
  parameters: Parameters,
  { now = toldAt, timeoutMs = 5000 }: Circumstances = {},
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
