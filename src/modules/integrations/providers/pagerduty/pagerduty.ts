import { eventTypes, type JsonObject } from '../../../events/index.ts';
import { sendAndJudge } from '../judge.ts';
import { maskedUrl } from '../masked-url.ts';
import type { IntegrationEvent, Provider } from '../provider.ts';
import { readErrorMessage } from '../response.ts';
import { leadsTo, plainText, readSentence, shorten } from '../sentence.ts';

const defaultUrl = 'https://events.pagerduty.com/v2/change/enqueue';

const maxSummary = 1024;
/** PagerDuty takes 512 kB. A larger change is better read in Burgee. */
const maxDetails = 100_000;

/** All fields of the event that are not empty. The changed data only if it fits. */
const detailsOf = (event: IntegrationEvent): JsonObject => {
  const { type, createdBy, project, environment, featureName, tags, data, preData } = event;
  const plain = {
    event: type,
    event_id: event.id,
    created_by: createdBy,
    project,
    environment,
    feature: featureName,
    tags: tags.length === 0 ? null : tags.map((tag) => `${tag.type}:${tag.value}`),
  };
  const change =
    JSON.stringify([data, preData]).length <= maxDetails
      ? { data, previous_data: preData }
      : { data: 'Too large to send.' };
  return Object.fromEntries(
    Object.entries({ ...plain, ...change }).filter(([, value]) => value !== null),
  ) as JsonObject;
};

export const pagerduty: Provider = {
  name: 'pagerduty',
  displayName: 'PagerDuty',
  description: "Send events to PagerDuty as change events. They don't trigger alerts.",
  documentationUrl: 'https://developer.pagerduty.com/docs/send-change-event',
  howTo:
    'Open the service in PagerDuty, add the integration **Events API V2** under **Integrations**, and enter its integration key here.',
  parameters: [
    {
      name: 'routingKey',
      displayName: 'Integration key',
      description: 'The key of an Events API V2 integration of the service, 32 letters and digits.',
      type: 'text',
      required: true,
      sensitive: true,
    },
    {
      name: 'url',
      displayName: 'Change events API',
      description: `URL that receives change events. Default: ${defaultUrl}. In the EU, the host is events.eu.pagerduty.com.`,
      placeholder: defaultUrl,
      type: 'url',
      required: false,
      sensitive: false,
    },
  ],
  events: eventTypes,
  check: ({ routingKey }) =>
    routingKey && !/^[0-9A-Za-z]{32}$/.test(routingKey)
      ? [{ parameter: 'routingKey', message: 'The key must be 32 letters and digits.' }]
      : [],
  compose: (event, _parameters, { baseUrl }) => {
    const spans = readSentence(event.summary);
    const page = leadsTo(spans, baseUrl);
    return {
      body: {
        payload: {
          summary: plainText(shorten(spans, maxSummary)),
          source: URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl,
          timestamp: event.createdAt,
          custom_details: detailsOf(event),
        },
        links: page === undefined ? [] : [{ href: page, text: 'Open in Burgee' }],
      },
    };
  },
  target: ({ url }) => maskedUrl(url || defaultUrl),
  deliver: ({ body }, { url, routingKey = '' }, sending) =>
    sendAndJudge(
      'PagerDuty',
      {
        method: 'POST',
        url: url || defaultUrl,
        headers: { 'content-type': 'application/json' },
        // The key is a secret, so it is not part of the stored message.
        body: JSON.stringify({ routing_key: routingKey, ...(body as JsonObject) }),
      },
      sending,
      { readMessage: readErrorMessage, objection, secrets: [routingKey] },
    ),
};

const objection = (answer: unknown): string | undefined => {
  if (typeof answer !== 'object' || answer === null || !('status' in answer)) return undefined;
  const { status } = answer;
  if (typeof status !== 'string' || status === 'success') return undefined;
  return readErrorMessage(answer) ?? `status "${status}".`;
};
