import { switchOne } from '../modules/flags/features/index.ts';
import {
  createIntegration,
  deliverWith,
  type ImaginedReceiver,
  type Installation,
  pauseIntegration,
} from '../modules/integrations/index.ts';
import type { Tx } from '../platform/db/database.ts';
import { type Chapter, numberOf } from './chapter.ts';
import { administrator } from './people.ts';

const toFeatures = [
  ...['feature-created', 'feature-archived', 'feature-completed', 'feature-stale-on'],
  ...['feature-environment-enabled', 'feature-environment-disabled'],
  ...['feature-strategy-add', 'feature-strategy-update', 'feature-strategy-remove'],
];

type Input = Parameters<typeof createIntegration>[2];

/** All receivers are on this machine: whoever starts the demo sends nothing to anyone else. */
const orders: Input = {
  provider: 'webhook',
  description: 'Clears the cache of the order service',
  enabled: true,
  parameters: { url: 'http://localhost:8091/hooks/flags' },
  events: toFeatures,
};

const archive: Input = {
  provider: 'webhook',
  description: 'Audit archive',
  enabled: true,
  parameters: { url: 'http://localhost:8092/events', format: 'cloudevents' },
  events: [
    ...toFeatures,
    ...['project-created', 'project-updated', 'segment-created', 'segment-updated'],
    ...['user-created', 'role-created', 'api-token-created', 'environment-created'],
  ],
};

const chat: Input = {
  provider: 'slack',
  description: 'Posts releases to #releases',
  enabled: true,
  parameters: { url: 'http://localhost:8093/hooks/releases', defaultChannel: 'releases' },
  events: [
    ...['feature-environment-enabled', 'feature-environment-disabled'],
    ...['feature-strategy-add', 'feature-strategy-update'],
  ],
  environments: ['production'],
};

const monitoring: Input = {
  provider: 'datadog',
  description: 'Deployment markers in Datadog',
  enabled: false,
  parameters: { url: 'http://localhost:8094/api/v1/events', apiKey: 'the-key-of-nobody' },
  events: ['feature-environment-enabled', 'feature-environment-disabled'],
};

const created = (daysAgo: number, installation: Installation, input: Input): Chapter => ({
  daysAgo,
  by: administrator,
  requests: [{ operation: 'createAddon' }],
  run: (tx) => createIntegration(tx, installation, input),
});

async function idOf(tx: Tx, { description }: Input): Promise<number> {
  const { id } = await tx.db
    .selectFrom('integrations')
    .where('description', '=', description ?? null)
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** When the order service refused what it was sent: once for a few hours, once for days, and now. */
const outages = [
  { from: 9.5, to: 9.2, status: 503, body: '<h1>503 Service Unavailable</h1>' },
  { from: 6, to: 3.4, status: 500, body: '{"error":"the cache cannot be reached"}' },
  { from: 1, to: 0, status: 500, body: '{"error":"the cache cannot be reached"}' },
];

const json = { 'content-type': 'application/json', server: 'imagined' };

const receiverAt =
  (daysAgo: number): ImaginedReceiver =>
  ({ url, body = '' }) => {
    const latencyMs = 25 + (numberOf(`${body}${daysAgo}`) % 160);
    const outage = outages.find(({ from, to }) => daysAgo <= from && daysAgo >= to);
    if (outage && url === orders.parameters.url) {
      const { status, body: words } = outage;
      return { status, headers: json, body: words, latencyMs: latencyMs * 6 };
    }
    return url === chat.parameters.url
      ? { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok', latencyMs }
      : { status: 202, headers: json, body: '{"accepted":true}', latencyMs };
  };

/** Daily at first; lately every three hours, so that retries come when they are due. */
const times = [
  ...Array.from({ length: 18 }, (_, day) => 28.4 - day),
  ...Array.from({ length: 80 }, (_, turn) => 10 - turn / 8),
].filter((daysAgo) => daysAgo > 0.02);

const delivered = (daysAgo: number, installation: Installation): Chapter => ({
  daysAgo,
  requests: [],
  run: (tx) => deliverWith(tx, installation, receiverAt(daysAgo)),
});

/** The last day, of which the order service knows nothing yet. */
const lastDay = [0.9, 0.8, 0.45, 0.4, 0.2, 0.15].map(
  (daysAgo, turn): Chapter => ({
    daysAgo,
    by: administrator,
    requests: [
      {
        operation: turn % 2 === 0 ? 'toggleFeatureEnvironmentOff' : 'toggleFeatureEnvironmentOn',
        project: 'web-shop',
        environment: 'development',
      },
    ],
    run: (tx) =>
      switchOne(
        tx,
        { project: 'web-shop', featureName: 'dark-mode', environment: 'development' },
        { enabled: turn % 2 === 1 },
      ),
  }),
);

/** Integrations with a past: one that works, one that fails, one that is paused, one that is disabled. */
export const integrations = (installation: Installation): readonly Chapter[] => [
  created(29, installation, orders),
  created(28.9, installation, archive),
  created(28.8, installation, chat),
  created(28.7, installation, monitoring),
  {
    daysAgo: 8.05,
    by: administrator,
    requests: [{ operation: 'pauseAddon' }],
    run: async (tx) => pauseIntegration(tx, installation, await idOf(tx, chat)),
  },
  ...lastDay,
  ...times.map((daysAgo) => delivered(daysAgo, installation)),
];
