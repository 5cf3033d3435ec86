import { beforeAll, expect, test, vi } from 'vitest';
import { randomCases } from '../support/random-cases.ts';
import { type Received, type ReceiverAnswer, startReceiver } from '../support/receiver.ts';
import { watchedApp } from './watched-app.ts';

let watched: Awaited<ReturnType<typeof watchedApp>>;

/** Secrets for each place. Some are sent with characters that JSON, URLs and base64 encode differently. */
const canary = {
  query: 'canary-in-the-query',
  password: 'canary-in-the-password',
  lonely: 'canary-in-the-lonely-name',
  authorization: 'canary-in-the-authorization',
  header: 'canary-in-a-header',
  slackToken: 'xoxb-canary-of-the-slack-app',
  routingKey: 'CanaryOfPagerDuty000000000000032',
  apiKey: 'canary-of-datadog',
  apiHeader: 'canary-in-a-header-of-datadog',
  licenseKey: 'canary-of-new-relic',
  licenseHeader: 'canary-in-a-header-of-new-relic',
  webhookPath: 'canary-in-the-path-of-a-webhook',
  lastPart: 'canary9',
  slackPath: 'canary-in-the-path-of-slack',
  teamsPath: 'canary-in-the-path-of-teams',
  discordPath: 'canary-in-the-path-of-discord',
};
const signingSecret = `whsec_${Buffer.from('canary-that-signs-requests').toString('base64')}`;

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** As they are sent. */
const credentials = [
  base64(`user:${canary.password}`),
  base64(`user:${canary.password} /+"`),
  base64(`${canary.lonely}:`),
];

beforeAll(async () => {
  watched = await watchedApp([...Object.values(canary), signingSecret, ...credentials]);
});

/** The first part of the path decides how the receiver responds. All responses repeat the whole request. */
const ways = ['accepts', 'objects', 'fails'] as const;

/** Every integration is answered in one of the ways here, and in each of them in `npm run test:proof`. */
const isAnswered = (input: number, way: number): boolean =>
  randomCases(1, ways.length).numRuns > (input + way) % ways.length;

const decoded = (authorization: string) =>
  Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString();

/** A receiver may repeat only a part of the URL, such as the id of a hook. */
const partsOf = (path: string) => path.split('/').slice(3).join(' ');

function repeat({ path, headers, body }: Received): ReceiverAnswer {
  const { authorization = '' } = headers;
  const user = authorization.startsWith('Basic ') ? decoded(authorization) : authorization;
  const said = [path, partsOf(path), user, ...Object.values(headers), body].join(' ');
  return {
    status: path.startsWith('/fails') ? 500 : 200,
    headers: {
      'x-path': path,
      'x-hook': partsOf(path),
      'x-authorization': authorization,
      'x-user': user,
    },
    body: path.startsWith('/accepts')
      ? { ok: true, success: true, path, user, headers, body }
      : { ok: false, success: false, status: 'no', error: authorization || said, message: said },
  };
}

interface IntegrationInput {
  readonly provider: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const credentialUrl = (host: string, user: string, path: string) => `http://${user}@${host}${path}`;

/** One integration for each provider and each place of a secret; `host` responds in the given way. */
const inputs = (host: string, way: string): IntegrationInput[] => {
  const url = `http://${host}/${way}`;
  const query = `?key=${canary.query}&more=${encodeURIComponent(`"${canary.query}" /+`)}`;
  const strange = encodeURIComponent(`${canary.password} /+"`);
  const webhook = (parameters: Record<string, string>): IntegrationInput => ({
    provider: 'webhook',
    parameters: { signingSecret, ...parameters },
  });
  return [
    webhook({ url: credentialUrl(host, `user:${canary.password}`, `/${way}${query}`) }),
    webhook({ url: credentialUrl(host, `user:${strange}`, `/${way}`) }),
    webhook({ url: credentialUrl(host, canary.lonely, `/${way}`) }),
    webhook({ url: `${url}/services/${canary.webhookPath}/${canary.lastPart}` }),
    webhook({
      url,
      authorization: `Bearer ${canary.authorization}`,
      customHeaders: JSON.stringify({ 'x-key': `"${canary.header}" /+` }),
    }),
    {
      provider: 'slack-app',
      parameters: { accessToken: canary.slackToken, defaultChannels: 'one,two', apiUrl: url },
    },
    { provider: 'pagerduty', parameters: { routingKey: canary.routingKey, url } },
    {
      provider: 'datadog',
      parameters: {
        url,
        apiKey: canary.apiKey,
        customHeaders: JSON.stringify({ 'x-key': canary.apiHeader }),
      },
    },
    {
      provider: 'new-relic',
      parameters: {
        url,
        licenseKey: canary.licenseKey,
        customHeaders: JSON.stringify({ 'x-key': canary.licenseHeader }),
      },
    },
    { provider: 'slack', parameters: { url: `${url}/${canary.slackPath}`, defaultChannel: 'one' } },
    { provider: 'teams', parameters: { url: `${url}/${canary.teamsPath}` } },
    { provider: 'discord', parameters: { url: `${url}/${canary.discordPath}` } },
  ];
};

const events = ['project-created'];

async function waitForDeliveries(id: string): Promise<void> {
  const { app, ask } = watched;
  await ask('POST /api/admin/projects', { id, name: id });
  await vi.waitFor(
    async () => {
      const deliveries = app.db
        .selectFrom('deliveries')
        .where('project', '=', id)
        .select('outcome');
      const outcomes = (await deliveries.execute()).map(({ outcome }) => outcome);
      expect(outcomes.length).toBeGreaterThan(12);
      expect(outcomes).not.toContain(null);
    },
    { timeout: 60_000, interval: 50 },
  );
}

test('no secret of an integration appears in any response, log line, event, export, message or table', async () => {
  const { ask, secretOf, refusedWith, secrets } = watched;
  const receiver = await startReceiver(repeat);
  const host = receiver.url.replace('http://', '');

  // Its signing secret is shown once, on creation. It receives the events of all others.
  await secretOf(
    'POST /api/admin/addons',
    {
      provider: 'webhook',
      enabled: true,
      events: [...events, 'addon-config-created', 'addon-config-updated'],
      parameters: { url: `${receiver.url}/fails` },
    },
    (body) => (body as unknown as { generated: { signingSecret: string } }).generated.signingSecret,
  );
  for (const [wayNumber, way] of ways.entries()) {
    for (const [inputNumber, input] of inputs(host, way).entries()) {
      if (!isAnswered(inputNumber, wayNumber)) continue;
      await ask('POST /api/admin/addons', { ...input, enabled: true, events });
    }
  }
  const { addons } = (await ask('GET /api/admin/addons')).json();
  const ids: number[] = addons.map(({ id }: { id: number }) => id);

  await waitForDeliveries('before-rotating');
  for (const id of ids) await ask(`POST /api/admin/addons/${id}/test`);
  for (const { id, provider } of addons) {
    if (provider !== 'webhook') continue;
    // Twice: first the configured secret signs together with a generated one, then two generated ones.
    for (let turn = 0; turn < 2; turn += 1) {
      await secretOf(
        `POST /api/admin/addons/${id}/signing-secret`,
        undefined,
        (body) => body.signingSecret,
      );
      await ask(`POST /api/admin/addons/${id}/test`);
    }
  }
  await waitForDeliveries('after-rotating');
  // It is deleted below and then receives nothing.
  const hasHeard = () =>
    receiver.received.some(({ body }) => body.includes('addon-config-updated'));
  await expect.poll(hasHeard).toBe(true);

  const [input] = inputs(host, 'accepts') as [IntegrationInput];
  await refusedWith('POST /api/admin/addons', { ...input, enabled: 'yes', events });
  await refusedWith('POST /api/admin/addons', { ...input, enabled: true, events: ['no-such'] });
  await refusedWith('POST /api/admin/addons', {
    ...input,
    provider: 'datadog',
    enabled: true,
    events,
  });
  for (const parameters of [
    { url: canary.query },
    { url: [canary.query] },
    { ...input.parameters, url: `ftp://user:${canary.password}@${host}` },
    { ...input.parameters, customHeaders: `{"x-key": ["${canary.header}"]}` },
    { ...input.parameters, customHeaders: canary.header },
    { ...input.parameters, authorization: `${canary.authorization}\n` },
    { ...input.parameters, signingSecret: canary.authorization },
    { ...input.parameters, accessToken: { text: canary.slackToken } },
  ]) {
    await refusedWith('POST /api/admin/addons', {
      ...input,
      enabled: true,
      events,
      parameters,
    });
    await refusedWith(`PUT /api/admin/addons/${ids[0]}`, {
      ...input,
      enabled: true,
      events,
      parameters,
    });
  }

  for (const id of ids) {
    const { integrationEvents } = (await ask(`GET /api/admin/addons/${id}/events`)).json();
    expect(JSON.stringify(integrationEvents)).toContain('*****');
    const [{ id: recordId }] = integrationEvents;
    await ask(`GET /api/admin/addons/${id}/events/${recordId}`);
    await ask(`GET /api/admin/addons/${id}/deliveries`);
    await ask(`GET /api/admin/addons/${id}/statistics`);
    await ask(`POST /api/admin/addons/${id}/pause`);
    await ask(`POST /api/admin/addons/${id}/resume`);
    await ask(`POST /api/admin/addons/${id}/events/${recordId}/redeliver`);
    const { provider, parameters } = (await ask(`GET /api/admin/addons/${id}`)).json();
    await ask(`PUT /api/admin/addons/${id}`, { provider, parameters, enabled: false, events });
    await ask(`DELETE /api/admin/addons/${id}`);
  }
  await ask('GET /api/admin/addons');
  await ask('GET /api/admin/search/events?limit=1000&queryIn=data,preData,tags');
  await ask('GET /api/admin/events');
  await ask('GET /api/admin/search/events', undefined, { accept: 'application/x-ndjson' });
  await ask('GET /api/admin/search/events', undefined, { accept: 'text/csv' });

  // The receiver got and repeated all of them, except signing secrets, which are never sent.
  const sent = receiver.received.map(({ path, headers, body }) =>
    [path, ...Object.values(headers), body].join(' '),
  );
  const travelling = [...Object.values(canary), ...credentials].filter(
    (secret) => secret !== canary.password && secret !== canary.lonely,
  );
  expect(travelling.filter((secret) => !sent.some((text) => text.includes(secret)))).toEqual([]);
  expect(secrets.size).toBeGreaterThan(travelling.length + 2 * 5);
  // No message contains a secret, except PagerDuty's key, which belongs in the body.
  const bodies = receiver.received.map(({ body }) =>
    body.replace(`"routing_key":"${canary.routingKey}"`, ''),
  );
  expect(bodies.join('\n')).toContain('addon-config-updated');
  await watched.expectNoSecretAnywhere('after-rotating', { messages: bodies.join('\n') });
});
