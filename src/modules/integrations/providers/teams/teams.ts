import type { OutgoingAnswer } from '../../../../platform/outgoing/outgoing.ts';
import { eventTypes } from '../../../events/index.ts';
import {
  customHeaderFaults,
  customHeadersParameter,
  readCustomHeaders,
} from '../custom-headers.ts';
import { judgeAnswer, judgeFailure, quoted, readJson, withFlaws } from '../judge.ts';
import { maskedPath } from '../masked-url.ts';
import type { Message, Parameters, Provider, Sending, Verdict } from '../provider.ts';
import { cardMessage } from './card.ts';

const advice: Readonly<Record<string, string>> = {
  WorkflowNotFound: 'The workflow was deleted. Create a new one and enter its URL.',
  WorkflowTriggerIsNotEnabled: 'The workflow is disabled. Enable it in Power Automate.',
  WorkflowTriggerNotFound: 'The workflow no longer starts with a webhook. Create a new one.',
  DirectApiAuthorizationRequired:
    'The URL is incomplete, or the workflow requires callers to sign in. Let anyone trigger it, and copy its URL again.',
  AuthorizationFailed: 'The URL is incomplete. Copy it from the workflow again.',
  TriggerInputSchemaMismatch:
    "The workflow doesn't accept cards. Create it from the template for webhook alerts.",
};

async function deliver(
  { body }: Message,
  { url = '', customHeaders }: Parameters,
  sending: Sending,
): Promise<Verdict> {
  const { headers, problem } = readCustomHeaders(customHeaders);
  try {
    const answer = await sending.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return withFlaws(judge(answer, url, sending.now), [problem]);
  } catch (error) {
    return withFlaws(judgeFailure('Teams', error), [problem]);
  }
}

/** The older connectors report with status 200 that Teams refused the message. */
const connectorFailure = /^Webhook message delivery failed/;

function judge(answer: OutgoingAnswer, url: string, now: Date): Verdict {
  const verdict = judgeAnswer('Teams', answer, now);
  if (verdict.state === 'success') {
    if (!connectorFailure.test(answer.body)) return verdict;
    return {
      state: 'failed',
      details: `Teams returned ${answer.status} but rejected the event. Response: ${quoted(answer.body, [url])}`,
    };
  }
  const body = readJson(answer.body) as { error?: { code?: unknown } | null } | null | undefined;
  const code = typeof body?.error?.code === 'string' ? quoted(body.error.code, [url]) : '';
  const hint = Object.hasOwn(advice, code) ? advice[code] : undefined;
  return {
    ...verdict,
    details: [verdict.details, code && `Response: ${code}.`, hint].filter(Boolean).join(' '),
  };
}

export const teams: Provider = {
  name: 'teams',
  displayName: 'Microsoft Teams',
  description: 'Post events to a Microsoft Teams channel or chat with a workflow.',
  documentationUrl:
    'https://support.microsoft.com/office/create-incoming-webhooks-with-workflows-for-microsoft-teams-8ae491c7-0394-4861-ba59-055e33f75498',
  howTo: `1. In Teams, open the menu (**…**) of the channel or chat and choose **Workflows**.
2. Choose the template that posts to it **when a webhook request is received**, and let anyone trigger it.
3. Copy the URL that is shown at the end.

Anyone with this URL can post. It's stored encrypted and never shown.`,
  parameters: [
    {
      name: 'url',
      displayName: 'Workflow URL',
      description: 'URL of the workflow.',
      placeholder: 'https://….api.powerplatform.com/…/workflows/…',
      type: 'url',
      required: true,
      sensitive: true,
    },
    customHeadersParameter,
  ],
  events: eventTypes,
  check: ({ customHeaders }) => customHeaderFaults(customHeaders),
  compose: (event, _parameters, { baseUrl }) => ({ body: cardMessage(event, baseUrl) }),
  target: ({ url = '' }) => maskedPath(url),
  deliver,
};
