import type { OutgoingAnswer } from '../../../../platform/outgoing/outgoing.ts';
import { eventTypes } from '../../../events/index.ts';
import { judgeAnswer, judgeFailure, quoted, readJson } from '../judge.ts';
import { maskedPath } from '../masked-url.ts';
import type { Fault, Message, Parameters, Provider, Sending, Verdict } from '../provider.ts';
import { embedOf } from './embed.ts';

const advice: Readonly<Record<number, string>> = {
  10015: 'The webhook was deleted in Discord: make a new one and store its address.',
  50027: 'The address is not complete: copy it from Discord again.',
  220001: 'The channel is a forum: add ?thread_id= and the id of a thread to the address.',
  220003: 'The channel is no forum: take thread_name out of the address.',
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
  const said = readJson(answer.body) as Readonly<Record<string, unknown>> | null | undefined;
  const words = typeof said?.message === 'string' ? quoted(said.message, [url]) : '';
  const hint = typeof said?.code === 'number' ? advice[said.code] : undefined;
  // More exact than the header, which knows whole seconds only.
  const patience = said?.retry_after;
  return {
    ...verdict,
    details: [verdict.details, words && `It says: ${words}`, hint].filter(Boolean).join(' '),
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
      message: 'It takes messages in the form of another service: leave out its last part.',
    });
  }
  if (username.length > 80 || /discord|clyde/i.test(username)) {
    faults.push({
      parameter: 'username',
      message: 'It may have up to 80 characters, and neither "discord" nor "clyde" in them.',
    });
  }
  return faults;
};

export const discord: Provider = {
  name: 'discord',
  displayName: 'Discord',
  description: 'Posts events in a Discord channel through a webhook of that channel.',
  documentationUrl: 'https://support.discord.com/hc/en-us/articles/228383668-Intro-to-Webhooks',
  howTo: `1. In Discord open the settings of the channel, then **Integrations** and **Webhooks**.
2. Make a new webhook and copy its URL.

Whoever knows this address can post in the channel: it is stored encrypted and shown to nobody.`,
  parameters: [
    {
      name: 'url',
      displayName: 'Webhook URL',
      description: 'The address of the webhook.',
      placeholder: 'https://discord.com/api/webhooks/…',
      type: 'url',
      required: true,
      sensitive: true,
    },
    {
      name: 'username',
      displayName: 'Name',
      description: 'Under which name events are posted. Without one it is Burgee.',
      placeholder: 'Burgee',
      type: 'text',
      required: false,
      sensitive: false,
    },
    {
      name: 'avatarUrl',
      displayName: 'Picture',
      description: 'The address of a picture to post with. Without one it is that of the webhook.',
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
