import type { OutgoingAnswer } from '../../../../platform/outgoing/outgoing.ts';
import { eventTypes } from '../../../events/index.ts';
import { judgeAnswer, judgeFailure, quoted, readJson } from '../judge.ts';
import { maskedPath } from '../masked-url.ts';
import type { Fault, Message, Parameters, Provider, Sending, Verdict } from '../provider.ts';
import { embedOf } from './embed.ts';

const advice: Readonly<Record<number, string>> = {
  10015: 'The webhook was deleted in Discord. Create a new one and enter its URL.',
  50027: 'The URL is incomplete. Copy it from Discord again.',
  220001: 'The channel is a forum. Add ?thread_id= and the id of a thread to the URL.',
  220003: "The channel isn't a forum. Remove thread_name from the URL.",
};

async function deliver(
  { body }: Message,
  parameters: Parameters,
  sending: Sending,
): Promise<Verdict> {
  try {
    const answer = await sending.send({
      method: 'POST',
      url: parameters.url ?? '',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return judge(answer, parameters, sending.now);
  } catch (error) {
    return judgeFailure('Discord', error);
  }
}

function judge(answer: OutgoingAnswer, { url }: Parameters, now: Date): Verdict {
  const verdict = judgeAnswer('Discord', answer, now);
  if (verdict.state === 'success') return verdict;
  const body = readJson(answer.body) as Readonly<Record<string, unknown>> | null | undefined;
  const words = typeof body?.message === 'string' ? quoted(body.message, [url]) : '';
  const hint = typeof body?.code === 'number' ? advice[body.code] : undefined;
  // More precise than the header, which has whole seconds.
  const patience = body?.retry_after;
  return {
    ...verdict,
    details: [verdict.details, words && `Response: ${words}`, hint].filter(Boolean).join(' '),
    ...(answer.status === 429 && typeof patience === 'number' && patience >= 0
      ? { retryAfterMs: Math.ceil(patience * 1000) }
      : {}),
  };
}

const check = ({ url = '', username = '' }: Parameters): Fault[] => {
  const faults: Fault[] = [];
  if (URL.canParse(url) && /\/(slack|github)\/?$/.test(new URL(url).pathname)) {
    faults.push({
      parameter: 'url',
      message:
        'The URL expects the message format of another service. Remove its last path segment.',
    });
  }
  if (username.length > 80 || /discord|clyde/i.test(username)) {
    faults.push({
      parameter: 'username',
      message: 'The name can have up to 80 characters and must not contain "discord" or "clyde".',
    });
  }
  return faults;
};

export const discord: Provider = {
  name: 'discord',
  displayName: 'Discord',
  description: 'Post events to a Discord channel.',
  documentationUrl: 'https://support.discord.com/hc/en-us/articles/228383668-Intro-to-Webhooks',
  howTo: `1. In Discord, open the settings of the channel, then **Integrations** and **Webhooks**.
2. Create a webhook and copy its URL.

Anyone with this URL can post to the channel. It's stored encrypted and never shown.`,
  parameters: [
    {
      name: 'url',
      displayName: 'Webhook URL',
      description: 'URL of the webhook.',
      placeholder: 'https://discord.com/api/webhooks/…',
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
      name: 'avatarUrl',
      displayName: 'Avatar',
      description: "URL of the avatar shown on messages. Default: the webhook's avatar.",
      type: 'url',
      required: false,
      sensitive: false,
    },
  ],
  events: eventTypes,
  check,
  compose: (event, { username, avatarUrl }, { baseUrl }) => ({
    body: {
      username: username || 'Burgee',
      ...(avatarUrl ? { avatar_url: avatarUrl } : {}),
      embeds: [embedOf(event, baseUrl)],
      allowed_mentions: { parse: [] },
    },
  }),
  target: ({ url = '' }) => maskedPath(url),
  deliver,
};
