import { eventTypes, type JsonObject } from '../../../events/index.ts';
import { customHeaderFaults, readCustomHeaders } from '../custom-headers.ts';
import { sendAndJudge, withFlaws } from '../judge.ts';
import { maskedUrl } from '../masked-url.ts';
import type { Provider } from '../provider.ts';
import { keyFaults } from '../provider.ts';
import { readErrorMessage } from '../response.ts';
import { findTemplateFault } from '../template/parse.ts';
import { renderTemplate } from '../template/render.ts';
import { attributesOf } from './attributes.ts';
import { newRelicParameters } from './parameters.ts';

/** New Relic silently drops events older than 48 hours. A late event gets the time of its arrival. */
const oldestMs = 47 * 3_600_000;

const isTooOld = (timestamp: unknown, now: Date) =>
  typeof timestamp === 'number' && now.getTime() - timestamp > oldestMs;

export const newRelic: Provider = {
  name: 'new-relic',
  displayName: 'New Relic',
  description: 'Send events to New Relic to query and chart them with your own data.',
  documentationUrl:
    'https://docs.newrelic.com/docs/data-apis/ingest-apis/event-api/introduction-event-api/',
  howTo:
    'Create a license key of the type **Ingest – License** in New Relic under **API keys** and enter it here with the URL of the Event API of your account. Then `FROM BurgeeEvent SELECT *` returns the events.',
  parameters: newRelicParameters,
  events: eventTypes,
  check: ({ licenseKey, bodyTemplate, customHeaders }) => {
    const fault = bodyTemplate ? findTemplateFault(bodyTemplate) : undefined;
    return [
      ...keyFaults('licenseKey', licenseKey),
      ...(fault === undefined ? [] : [{ parameter: 'bodyTemplate', message: fault }]),
      ...customHeaderFaults(customHeaders),
    ];
  },
  compose: (event, { bodyTemplate }, { baseUrl }) => {
    if (!bodyTemplate?.trim()) return { body: attributesOf(event, baseUrl) };
    const rendered = renderTemplate(bodyTemplate, event, baseUrl, 'none');
    if ('text' in rendered) return { body: attributesOf(event, baseUrl, rendered.text) };
    return { body: attributesOf(event, baseUrl), problem: rendered.problem };
  },
  target: ({ url = '' }) => maskedUrl(url),
  deliver: async ({ body, problem }, { url = '', licenseKey = '', customHeaders }, sending) => {
    const { timestamp, ...rest } = body as JsonObject;
    const custom = readCustomHeaders(customHeaders);
    const verdict = await sendAndJudge(
      'New Relic',
      {
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          'api-key': licenseKey,
          ...custom.headers,
        },
        body: JSON.stringify(isTooOld(timestamp, sending.now) ? rest : body),
      },
      sending,
      { readMessage: readErrorMessage, objection, secrets: [licenseKey] },
    );
    return withFlaws(verdict, [custom.problem, problem as string | undefined]);
  },
};

const objection = (answer: unknown): string | undefined => {
  if (typeof answer !== 'object' || answer === null || !('success' in answer)) return undefined;
  return answer.success === false ? (readErrorMessage(answer) ?? 'success: false.') : undefined;
};
