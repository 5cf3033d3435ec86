import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { InMemStorageProvider, Unleash } from 'unleash-client';
import { onTestFinished } from 'vitest';

interface SdkTokens {
  readonly client: string;
  readonly frontend: string;
}

interface SdkRequest {
  readonly name: string;
  readonly path: string;
  readonly token: string;
  readonly status: number;
  readonly body?: () => object;
}

/** The feature whose usage is reported, once by each accepted report. */
export const countedFeature = 'counted';

const requestsOf = ({ client, frontend }: SdkTokens): readonly SdkRequest[] => [
  { name: 'features', path: '/api/client/features', token: client, status: 200 },
  { name: 'evaluation', path: '/api/frontend?userId=ada', token: frontend, status: 200 },
  {
    ...{ name: 'evaluation by POST', path: '/api/frontend', token: frontend, status: 200 },
    body: () => ({ context: { userId: 'ada' } }),
  },
  {
    ...{ name: 'OFREP', path: '/ofrep/v1/evaluate/flags', token: client, status: 200 },
    body: () => ({ context: { targetingKey: 'ada' } }),
  },
  {
    ...{ name: 'registration', path: '/api/client/register', token: client, status: 202 },
    body: () => ({ appName: 'load', strategies: [], started: new Date(), interval: 1000 }),
  },
  {
    ...{ name: 'metrics', path: '/api/client/metrics', token: client, status: 202 },
    body: () => {
      const [start, stop] = [new Date(), new Date()];
      const toggles = { [countedFeature]: { yes: 1, no: 0 } };
      return { appName: 'load', bucket: { start, stop, toggles } };
    },
  },
];

/** Sends a request over the connection of its agent, without a retry. Returns the status. */
const send = (origin: string, agent: Agent, { path, token, body }: SdkRequest): Promise<number> =>
  new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body());
    const sent = request(`${origin}${path}`, {
      method: text ? 'POST' : 'GET',
      agent,
      headers: {
        authorization: token,
        ...(text && { 'content-type': 'application/json', 'content-length': text.length }),
      },
    });
    sent.on('error', reject).on('response', (response) => {
      response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    sent.end(text);
  });

/** Sends all requests of SDKs repeatedly, each kind on its own connections. */
export function startSdkLoad(origin: string, tokens: SdkTokens, { each = 2, pauseMs = 5 } = {}) {
  const failures: string[] = [];
  const durationsMs: number[] = [];
  const counts = new Map<string, number>();
  let running = true;

  async function repeat(asked: SdkRequest): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (running) {
      const began = performance.now();
      try {
        const status = await send(origin, agent, asked);
        if (status === asked.status) counts.set(asked.name, (counts.get(asked.name) ?? 0) + 1);
        else failures.push(`${asked.name}: ${status}`);
      } catch (error) {
        failures.push(`${asked.name}: ${(error as Error).message}`);
      }
      durationsMs.push(performance.now() - began);
      await pause(pauseMs);
    }
    agent.destroy();
  }

  const work = Array.from({ length: each }, () => requestsOf(tokens))
    .flat()
    .map(repeat);
  const end = async () => {
    running = false;
    await Promise.all(work);
  };
  onTestFinished(end);
  return {
    failures,
    end,
    count: () => durationsMs.length,
    countOf: (name: string) => counts.get(name) ?? 0,
    /** A quantile of the response times. */
    quantileMs: (part: number) =>
      Math.round(
        durationsMs
          .toSorted((one, other) => one - other)
          .at(Math.ceil(part * durationsMs.length) - 1) ?? 0,
      ),
  };
}

/** The official SDK with a stream, and its errors and warnings. */
export function startStreamingSdk(origin: string, token: string, number: number) {
  const complaints: string[] = [];
  const sdk = new Unleash({
    url: `${origin}/api/`,
    appName: `streaming-${number}`,
    customHeaders: { Authorization: token },
    experimentalMode: { type: 'streaming' },
    storageProvider: new InMemStorageProvider(),
    metricsInterval: 2_000,
    skipInstanceCountWarning: true,
  });
  for (const event of ['error', 'warn']) {
    sdk.on(event, (reason) => complaints.push(`${event}: ${reason}`));
  }
  onTestFinished(() => sdk.destroy());
  return {
    complaints,
    knows: (feature: string) => sdk.getFeatureToggleDefinition(feature) !== undefined,
  };
}
