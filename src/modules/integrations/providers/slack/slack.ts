import type { OutgoingAnswer } from '../../../../platform/outgoing/outgoing.ts';
import { eventTypes } from '../../../events/index.ts';
import { readChannels, slackTag, taggedChannels } from '../channels.ts';
import {
  customHeaderFaults,
  customHeadersParameter,
  readCustomHeaders,
} from '../custom-headers.ts';
import { judgeAnswer, quoted, readJson, withFlaws } from '../judge.ts';
import { maskedPath } from '../masked-url.ts';
import type { Message, Parameters, Provider, Sending, Verdict } from '../provider.ts';
import { type SlackText, slackText, trimmingNote, withoutBlocks } from '../slack-app/message.ts';
import { postToEach, type Refusal, unreached } from '../slack-app/posting.ts';
import { explainError } from '../slack-app/words.ts';

type HookMessage = SlackText & {
  readonly channels: readonly string[];
  readonly username: string;
  readonly emojiIcon: string;
};

const defaultEmoji = ':triangular_flag_on_post:';

const defaultsOf = ({ defaultChannel }: Parameters) => readChannels(defaultChannel ?? '');

async function deliver(
  message: Message,
  parameters: Parameters,
  sending: Sending,
): Promise<Verdict> {
  const content = message as unknown as HookMessage;
  const { headers, problem } = readCustomHeaders(parameters.customHeaders);
  const defaults = defaultsOf(parameters);
  const verdict = await postToEach(content.channels, async (channel) => {
    const refusal = await post(channel, content, parameters, headers, sending);
    if (!refusal?.gone || refusal.everywhere || defaults.join() === channel) return refusal;
    // The archived channel is not the default channel.
    const { gone, ...others } = refusal;
    return others;
  });
  const judged = withFlaws(verdict, [problem]);
  const note = trimmingNote(content);
  return note === undefined ? judged : { ...judged, details: `${judged.details}\n${note}` };
}

async function post(
  channel: string,
  { username, emojiIcon, message, blocks }: HookMessage,
  { url = '' }: Parameters,
  headers: Readonly<Record<string, string>>,
  sending: Sending,
): Promise<Refusal | undefined> {
  let answer: OutgoingAnswer;
  try {
    answer = await sending.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        channel,
        username,
        icon_emoji: emojiIcon,
        text: message,
        blocks,
        unfurl_links: false,
        unfurl_media: false,
      }),
    });
  } catch (error) {
    return unreached(error);
  }
  return refusalIn(answer, url, sending.now);
}

/** Slack answers with one word: ok, or an error code. */
function refusalIn(answer: OutgoingAnswer, url: string, now: Date): Refusal | undefined {
  const { state, details, retryAfterMs, gone } = judgeAnswer('Slack', answer, now);
  const text = answer.body.trim();
  if (state === 'success') {
    if (isAgreement(text)) return undefined;
    return {
      why: `Slack returned ${answer.status}, but not ok. Response: ${quoted(text, [url])}`,
      everywhere: true,
    };
  }
  const word = /^[a-z_]{2,60}$/.test(text) ? explainError(text) : undefined;
  return {
    why: word === undefined ? details : `${details} ${word.why}`,
    ...(concernsChannel(answer.status, word) ? {} : { everywhere: true }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(gone ? { gone } : {}),
  };
}

/** Compatible servers answer with JSON or with an empty body. */
const isAgreement = (text: string): boolean => {
  if (text === 'ok' || text === '') return true;
  const body = readJson(text) as { ok?: unknown; success?: unknown } | null | undefined;
  return body?.ok === true || body?.success === true;
};

const concernsChannel = (status: number, word: { everywhere?: true } | undefined): boolean =>
  word !== undefined && !word.everywhere && status >= 400 && status < 500 && status !== 429;

export const slack: Provider = {
  name: 'slack',
  displayName: 'Slack (incoming webhook)',
  description: 'Post events to Slack with an incoming webhook.',
  documentationUrl: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  howTo: `1. Add an incoming webhook to your workspace, or enable incoming webhooks in your app.
2. Copy the URL of the webhook.

Only legacy webhooks can post to other channels and under another name; webhooks of an app post only to the channel they were created for. Anyone with the URL can post. It's stored encrypted and never shown.`,
  deprecated:
    'Slack no longer supports webhooks that choose a channel. Use the Slack app instead: it posts to any channel it was invited to, and reports which channel failed.',
  parameters: [
    {
      name: 'url',
      displayName: 'Webhook URL',
      description: 'URL of the incoming webhook.',
      placeholder: 'https://hooks.slack.com/services/…',
      type: 'url',
      required: true,
      sensitive: true,
    },
    {
      name: 'username',
      displayName: 'Name',
      description: 'Username shown on messages. Default: Burgee.',
      placeholder: 'Burgee',
      type: 'text',
      required: false,
      sensitive: false,
    },
    {
      name: 'emojiIcon',
      displayName: 'Emoji',
      description: `Emoji next to the username. Default: ${defaultEmoji}.`,
      placeholder: defaultEmoji,
      type: 'text',
      required: false,
      sensitive: false,
    },
    {
      name: 'defaultChannel',
      displayName: 'Default channel',
      description:
        'Channel for events of features without a slack tag. Separate several with commas.',
      placeholder: '#releases',
      type: 'text',
      required: true,
      sensitive: false,
    },
    customHeadersParameter,
  ],
  events: eventTypes,
  tagTypes: [slackTag],
  check: ({ defaultChannel = '', customHeaders }) => [
    ...(readChannels(defaultChannel).length > 0
      ? []
      : [{ parameter: 'defaultChannel', message: 'The value must name a channel.' }]),
    ...customHeaderFaults(customHeaders),
  ],
  compose: (event, parameters, { baseUrl }) => {
    const tagged = taggedChannels(event.tags);
    const { message, ...rest } = slackText(event, baseUrl);
    return {
      channels: tagged.length > 0 ? tagged : defaultsOf(parameters),
      username: parameters.username || 'Burgee',
      emojiIcon: parameters.emojiIcon || defaultEmoji,
      message,
      ...rest,
    };
  },
  toRecord: withoutBlocks,
  target: ({ url = '' }) => maskedPath(url),
  deliver,
};
