import { expect, it } from 'vitest';
import { deliver } from '../../../../test/support/providers/deliver.ts';
import { typicalEvents } from '../../../../test/support/providers/sent-events.ts';
import {
  type Received,
  type ReceiverAnswer,
  startReceiver,
} from '../../../../test/support/receiver.ts';
import { discord } from './discord/discord.ts';
import type { Parameters, Provider } from './provider.ts';
import { slack } from './slack/slack.ts';
import { slackApp } from './slack-app/slack-app.ts';
import { teams } from './teams/teams.ts';

interface Setup {
  readonly provider: Provider;
  readonly path: string;
  readonly parameters: (url: string) => Parameters;
  /** The response of the real service. */
  readonly answer: ReceiverAnswer;
}

const setups: readonly Setup[] = [
  {
    provider: slackApp,
    path: '/api/chat.postMessage',
    parameters: (apiUrl) => ({ apiUrl, accessToken: 'xoxb-1', defaultChannels: '#flags' }),
    answer: { status: 200, body: { ok: true, channel: 'C123ABC456', ts: '1503435956.000247' } },
  },
  {
    provider: slack,
    path: '/services/T0/B0/secret',
    parameters: (url) => ({ url, defaultChannel: '#flags', customHeaders: '{"X-Team": "blue"}' }),
    answer: { status: 200, body: 'ok' },
  },
  {
    provider: teams,
    path: '/workflows/0/triggers/manual/paths/invoke?sig=secret',
    parameters: (url) => ({ url, customHeaders: '{"X-Team": "blue"}' }),
    answer: { status: 202 },
  },
  {
    provider: discord,
    path: '/api/webhooks/1/secret',
    parameters: (url) => ({ url }),
    answer: { status: 204 },
  },
];

/** Headers of the connection, not of the message. */
const passing = new Set(['host', 'connection', 'content-length']);

/** Pretty-printed JSON. */
const written = ({ method, path, headers, body }: Received) => {
  const lines = Object.entries(headers)
    .filter(([name]) => !passing.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
  return `${method} ${path}\n${lines.join('\n')}\n\n${JSON.stringify(JSON.parse(body), null, 2)}\n`;
};

const cases = setups.flatMap((setup) =>
  typicalEvents.map((event) => [setup.provider.name, event.type, setup, event] as const),
);

it.each(cases)(
  'the message of %s for %s matches its golden file',
  async (name, type, setup, event) => {
    const { provider, path, answer } = setup;
    const receiver = await startReceiver(answer);
    const parameters = setup.parameters(`${receiver.url}${path}`);
    expect(provider.check?.(parameters) ?? []).toEqual([]);

    const verdict = await deliver(provider, event, parameters);

    expect(verdict.state).toBe('success');
    await expect(receiver.received.map(written).join('\n')).toMatchFileSnapshot(
      `golden/${name}/${type}.http`,
    );
  },
);
