import { eventTypes, type Json, type JsonObject } from '../../../events/index.ts';
import { readCustomHeaders } from '../custom-headers.ts';
import { readJson, sendAndJudge, withFlaws } from '../judge.ts';
import { maskedPath } from '../masked-url.ts';
import type { IntegrationEvent, Message, Parameters, Provider } from '../provider.ts';
import { escapingFor, renderTemplate } from '../template/render.ts';
import { cloudEvent, cloudEventType } from './cloud-event.ts';
import { defaultContentType, webhookFaults, webhookParameters } from './parameters.ts';
import { signatureHeaders } from './signature.ts';

/** The body is stored as text, so that its signature is valid for every attempt. */
interface WebhookMessage {
  readonly contentType: string;
  readonly body: string;
  readonly templated: boolean;
  /** Why the body differs from what the template should have rendered. */
  readonly problem?: string;
}

const composeBody = (
  event: IntegrationEvent,
  parameters: Parameters,
  baseUrl: string,
): WebhookMessage => {
  if (parameters.format === 'cloudevents') {
    const body = JSON.stringify(cloudEvent(event, baseUrl));
    return { contentType: cloudEventType, body, templated: false };
  }
  const contentType = parameters.contentType || defaultContentType;
  const template = parameters.bodyTemplate;
  if (!template?.trim()) return { contentType, body: JSON.stringify(event), templated: false };
  const escaping = escapingFor(contentType);
  const rendered = renderTemplate(template, event, baseUrl, escaping);
  if ('text' in rendered) return { contentType, body: rendered.text, templated: true };
  const { problem } = rendered;
  const { id, type } = event;
  const body =
    escaping === 'json'
      ? JSON.stringify({ problem, event: { id, type } })
      : `${problem} The event was ${id}, ${type}.`;
  return { contentType, body, templated: true, problem };
};

export const webhook: Provider = {
  name: 'webhook',
  displayName: 'Webhook',
  description: 'Send signed events to any URL.',
  documentationUrl: 'https://www.standardwebhooks.com',
  howTo:
    'Set up an endpoint that accepts POST requests and returns a 2xx status within 15 seconds (unless configured otherwise). ' +
    'Verify the signature with the signing secret of the integration; there are [libraries](https://www.standardwebhooks.com) for most languages. ' +
    'The same event can arrive more than once, with the same `webhook-id`. ' +
    'A 410 response disables the integration.',
  parameters: webhookParameters,
  events: eventTypes,
  check: webhookFaults,
  compose: (event, parameters, { baseUrl }) => ({ ...composeBody(event, parameters, baseUrl) }),
  target: ({ url = '' }) => maskedPath(url),
  toRecord: ({ contentType, body, templated, ...rest }: Message): JsonObject => ({
    contentType: contentType ?? '',
    body: templated === true ? (body ?? '') : ((readJson(String(body)) as Json | undefined) ?? ''),
    ...rest,
  }),
  deliver: async (message, parameters, sending) => {
    const { contentType, body, problem } = message as unknown as WebhookMessage;
    const { url = '', authorization, signingSecret, previousSigningSecret } = parameters;
    const custom = readCustomHeaders(parameters.customHeaders);
    const verdict = await sendAndJudge(
      'the webhook',
      {
        method: 'POST',
        url,
        headers: {
          'content-type': contentType,
          ...(authorization ? { authorization } : {}),
          ...custom.headers,
          ...signatureHeaders(sending, body, [signingSecret, previousSigningSecret]),
        },
        body,
      },
      sending,
    );
    return withFlaws(verdict, [custom.problem, problem]);
  },
};
