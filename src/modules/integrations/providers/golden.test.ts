import { expect, it } from 'vitest';
import { deliver } from '../../../../test/support/providers/deliver.ts';
import { typicalEvents } from '../../../../test/support/providers/sent-events.ts';
import { type Received, startReceiver } from '../../../../test/support/receiver.ts';
import { datadog } from './datadog/datadog.ts';
import { newRelic } from './new-relic/new-relic.ts';
import { pagerduty } from './pagerduty/pagerduty.ts';
import type { Parameters, Provider } from './provider.ts';
import { webhook } from './webhook/webhook.ts';

interface Setup {
  readonly provider: Provider;
  /** The folder of its golden files. */
  readonly folder: string;
  readonly path: string;
  readonly parameters: Parameters;
}

const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const setups: readonly Setup[] = [
  { provider: webhook, folder: 'webhook', path: '/hooks?token=t', parameters: { signingSecret } },
  {
    provider: webhook,
    folder: 'webhook-template',
    path: '/hooks',
    parameters: {
      signingSecret,
      authorization: 'Bearer abc',
      customHeaders: '{"X-Team": "blue"}',
      bodyTemplate:
        '{"text": "{{eventMarkdown}}", "who": "{{event.createdBy}}", "title": "{{event.data.title}}", "tags": [{{#event.tags}}"{{type}}:{{value}}",{{/event.tags}} "burgee"], "data": {{event.data}}{{^event.data}}null{{/event.data}}}',
    },
  },
  {
    provider: webhook,
    folder: 'webhook-cloudevents',
    path: '/hooks',
    parameters: { signingSecret, format: 'cloudevents' },
  },
  {
    provider: datadog,
    folder: 'datadog',
    path: '/api/v1/events',
    parameters: { apiKey: 'dd-key', sourceTypeName: 'my_apps' },
  },
  {
    provider: newRelic,
    folder: 'new-relic',
    path: '/v1/accounts/1234567/events',
    parameters: { licenseKey: 'nr-key' },
  },
  {
    provider: pagerduty,
    folder: 'pagerduty',
    path: '/v2/change/enqueue',
    parameters: { routingKey: '0123456789abcdef0123456789abcdef' },
  },
];

/** Headers of the connection, not of the message. */
const passing = new Set(['host', 'connection', 'content-length', 'user-agent']);

/** Pretty-printed JSON. The test also checks that it is sent on one line. */
const written = ({ method, path, headers, body }: Received) => {
  const lines = Object.entries(headers)
    .filter(([name]) => !passing.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
  return `${method} ${path}\n${lines.join('\n')}\n\n${JSON.stringify(JSON.parse(body), null, 2)}\n`;
};

const cases = setups.flatMap((setup) =>
  typicalEvents.map((event) => [setup.folder, event.type, setup, event] as const),
);

it.each(cases)(
  'the message of %s for %s matches its golden file',
  async (folder, type, setup, event) => {
    const { provider, path, parameters } = setup;
    const receiver = await startReceiver({ status: 202 });
    const url = `${receiver.url}${path}`;
    expect(provider.check?.({ ...parameters, url })).toEqual([]);

    const verdict = await deliver(provider, event, { ...parameters, url });

    expect(verdict.state).toBe('success');
    expect(receiver.received).toHaveLength(1);
    const [request] = receiver.received as [Received];
    if (folder !== 'webhook-template') {
      expect(request.body).toBe(JSON.stringify(JSON.parse(request.body)));
    }
    await expect(written(request)).toMatchFileSnapshot(`golden/${folder}/${type}.http`);
  },
);
