import type { OutgoingAnswer } from '../../../../platform/outgoing/outgoing.ts';
import { eventTypes } from '../../../events/index.ts';
import { readChannels, slackTag, taggedChannels } from '../channels.ts';
import { judgeAnswer, readJson } from '../judge.ts';
import { maskedUrl } from '../masked-url.ts';
import type { Message, Parameters, Provider, Sending, Verdict } from '../provider.ts';
import { keyFaults } from '../provider.ts';
import { readRetryAfter } from '../response.ts';
import { type SlackText, slackText, trimmingNote, withoutBlocks } from './message.ts';
import { postToEach, type Refusal, unreached } from './posting.ts';
import { explainError } from './words.ts';

const slackApi = 'https://slack.com/api/chat.postMessage';

type AppMessage = SlackText & { readonly channels: readonly string[] };

const addressOf = ({ apiUrl }: Parameters) => apiUrl || slackApi;

const defaultsOf = ({ defaultChannels }: Parameters) => readChannels(defaultChannels ?? '');

async function deliver(
  message: Message,
  parameters: Parameters,
  sending: Sending,
): Promise<Verdict> {
  const content = message as unknown as AppMessage;
  // Default channels may have been configured since the event. Without them the message could not be delivered.
  const channels = content.channels.length > 0 ? content.channels : defaultsOf(parameters);
  const verdict = await postToEach(channels, (channel) =>
    post(channel, content, parameters, sending),
  );
  const note = trimmingNote(content);
  return note === undefined ? verdict : { ...verdict, details: `${verdict.details}\n${note}` };
}

async function post(
  channel: string,
  { message, blocks }: AppMessage,
  parameters: Parameters,
  sending: Sending,
): Promise<Refusal | undefined> {
  let answer: OutgoingAnswer;
  try {
    answer = await sending.send({
      method: 'POST',
      url: addressOf(parameters),
      headers: {
        authorization: `Bearer ${parameters.accessToken}`,
        'content-type': 'application/json; charset=utf-8',
      },
      body: JSON.stringify({
        channel,
        text: message,
        blocks,
        unfurl_links: false,
        unfurl_media: false,
      }),
    });
  } catch (error) {
    return unreached(error);
  }
  return refusalIn(answer, sending.now);
}

/** Slack refuses with status 200 and an error code. */
function refusalIn(answer: OutgoingAnswer, now: Date): Refusal | undefined {
  const body = readJson(answer.body) as { ok?: unknown; error?: unknown } | null | undefined;
  const word = typeof body?.error === 'string' ? body.error : undefined;
  const verdict = judgeAnswer('Slack', answer, now);
  if (verdict.state !== 'success') {
    const { details, retryAfterMs, gone } = verdict;
    return {
      why: word === undefined ? details : `${details} ${explainError(word).why}`,
      everywhere: true,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(gone ? { gone } : {}),
    };
  }
  if (body?.ok === true) return undefined;
  if (word !== undefined) {
    const retryAfterMs = readRetryAfter(answer.headers['retry-after'], now);
    return { ...explainError(word), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  return {
    why: `The response (${answer.status}) isn't from Slack. Check the URL.`,
    everywhere: true,
  };
}

export const slackApp: Provider = {
  name: 'slack-app',
  displayName: 'Slack app',
  description: 'Post events to Slack channels. Route features to channels with tags.',
  documentationUrl: 'https://docs.slack.dev/reference/methods/chat.postMessage',
  howTo: `1. Create an app for your workspace at [api.slack.com/apps](https://api.slack.com/apps).
2. Under **OAuth & Permissions**, give its bot the scope \`chat:write\`, and \`chat:write.public\` to post in public channels without an invitation.
3. Install the app in the workspace and copy the **Bot User OAuth Token** (it starts with \`xoxb-\`).
4. Invite the app to every other channel: \`/invite @your-app\`.

Tag a feature with \`slack:release\` to also send its events to the channel \`release\`.`,
  installation: {
    url: 'https://api.slack.com/apps',
    title: 'Create a Slack app',
    helpText: 'Create and install the app in Slack, then enter its bot token here.',
  },
  alerts: [
    {
      type: 'info',
      text: "The app can post in channels it was invited to, and in all public channels if it has the scope 'chat:write.public'.",
    },
  ],
  parameters: [
    {
      name: 'accessToken',
      displayName: 'Access token',
      description: 'Bot token of the app.',
      placeholder: 'xoxb-…',
      type: 'text',
      required: true,
      sensitive: true,
    },
    {
      name: 'defaultChannels',
      displayName: 'Default channels',
      description:
        'Channels that receive every event: names or IDs, separated by commas. Leave empty to post only events of features with slack tags.',
      placeholder: '#releases, #ops',
      type: 'text',
      required: false,
      sensitive: false,
    },
    {
      name: 'apiUrl',
      displayName: 'API URL',
      description: `Only for Slack-compatible gateways and servers. Default: ${slackApi}.`,
      placeholder: slackApi,
      type: 'url',
      required: false,
      sensitive: false,
    },
  ],
  events: eventTypes,
  tagTypes: [slackTag],
  check: ({ accessToken }) => keyFaults('accessToken', accessToken),
  compose: (event, parameters, { baseUrl }) => ({
    channels: [...new Set([...taggedChannels(event.tags), ...defaultsOf(parameters)])],
    ...slackText(event, baseUrl),
  }),
  toRecord: withoutBlocks,
  target: (parameters) => maskedUrl(addressOf(parameters)),
  deliver,
};
