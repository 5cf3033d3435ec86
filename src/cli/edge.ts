import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type EdgeSettings, readEdgeSettings } from '../edge/settings.ts';
import { createLogger } from '../platform/log.ts';
import { StartError } from '../platform/start-error.ts';
import { command, type Values } from './command.ts';
import { stopOnSignal } from './stop-on-signal.ts';

type Edge = typeof import('../edge/run.ts');

/** The edge has a bundle of its own, without the code of the server. */
const loadEdge = async (): Promise<Edge> => {
  const bundle = new URL('./edge/run.js', import.meta.url).href;
  return import.meta.url.endsWith('.js') ? import(bundle) : import('../edge/run.ts');
};

const text = (does: string, value: string) => ({ type: 'text', value, does }) as const;
/** Some manifests use the letters of Unleash Edge. */
const lettered = <const Letter extends string>(short: Letter, does: string, value: string) =>
  ({ ...text(does, value), short }) as const;

const options = {
  port: lettered('p', 'port (3063)', 'PORT'),
  interface: text('address to listen on (0.0.0.0)', 'ADDRESS'),
  'base-path': text('path under which a proxy serves the edge', 'PATH'),
  token: { type: 'texts', short: 't', value: 'TOKEN', does: 'token to serve; repeatable' },
  tokens: text('tokens to serve, separated by commas', 'TOKENS'),
  'bootstrap-file': text('features to serve until the first fetch succeeds', 'FILE'),
  'cors-origin': text('allowed CORS origins, separated by commas (*)', 'ORIGINS'),
  'allow-list': text('addresses and ranges that may use the edge', 'RANGES'),
  'deny-list': text('addresses and ranges that may not use the edge', 'RANGES'),
  'trust-proxy': { type: 'switch', does: 'trust X-Forwarded-For of private networks' },
  workers: text('worker processes that share the port (1)', 'N'),
  'app-name': text('name shown by the upstream (burgee-edge)', 'NAME'),
  'max-connections': text('maximum number of open connections (25000)', 'N'),
  'shutdown-delay-seconds': text('seconds to keep serving after SIGTERM (0)', 'N'),
  'public-metrics': text('false: /internal-backstage/prometheus needs a token', 'true|false'),
  'instance-id': text('name of this instance', 'ID'),
  'log-level': text('fatal, error, warn, info, debug, or trace (info)', 'LEVEL'),
  'log-format': text('accepted, but the log is always JSON', 'FORMAT'),
  'disable-all-endpoint': { type: 'switch', does: 'do not serve /api/frontend/all' },
} as const;

const upstreamOptions = {
  upstream: text('URL of the server', 'URL'),
  'upstream-url': lettered('u', 'same as --upstream', 'URL'),
  strict: { type: 'switch', does: 'serve only the configured tokens (default with tokens)' },
  dynamic: {
    type: 'switch',
    does: 'serve all tokens the upstream accepts (default without tokens)',
  },
  offline: { type: 'switch', does: 'serve the bootstrap file, without an upstream' },
  'backup-folder': text('folder for the last state and unsent usage', 'FOLDER'),
  'redis-url': text('Redis for the last state', 'URL'),
  streaming: { type: 'switch', does: 'use streams if the upstream supports them (default)' },
  delta: { type: 'switch', does: 'use deltas if the upstream supports them (default)' },
  'features-refresh-interval-seconds': text('seconds between polls (15)', 'N'),
  'metrics-interval-seconds': text('seconds between usage reports (60)', 'N'),
  'token-revalidation-interval-seconds': text('seconds between token checks (3600)', 'N'),
  'upstream-request-timeout': text('seconds without progress until a request fails (5)', 'N'),
  'upstream-certificate-file': text('file with additional certificates to trust', 'FILE'),
  'edge-region': text('region shown by the upstream', 'NAME'),
  'custom-client-headers': text("headers to send to the upstream, as 'Name: value'", 'HEADERS'),
} as const;

const offlineOptions = {
  'bootstrap-file': text('features to serve', 'FILE'),
  'client-tokens': text('backend tokens, separated by commas', 'TOKENS'),
  'frontend-tokens': text('frontend tokens, separated by commas', 'TOKENS'),
  'reload-interval': text('seconds between reads of the bootstrap file (never)', 'N'),
} as const;

const notes =
  'Every option is also an environment variable: --upstream-url is UPSTREAM_URL. docs/edge.md lists all variables.';

type Given = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** Joins the short options with those that have the names of variables. */
function namedAsVariables(values: Given): Given {
  const { token, upstream, ...others } = values;
  const tokens = [...((token as readonly string[]) ?? []), others.tokens].filter(Boolean).join();
  return {
    ...others,
    ...(upstream !== undefined && { 'upstream-url': upstream }),
    ...(tokens !== '' && { tokens }),
  };
}

async function start(values: Given, name: 'edge' | 'offline'): Promise<void> {
  const settings = readEdgeSettings(process.env, namedAsVariables(values), name);
  const log = createLogger(settings.logLevel);
  const stop = stopOnSignal(log);
  // The processes of one edge run the same command; the first one checks and says everything.
  if (cluster.isPrimary) {
    for (const doubt of settings.doubts) log.warn(doubt);
    await requirePort(settings);
  }
  const { runEdge } = await loadEdge();
  try {
    await runEdge(settings, stop, log);
  } catch (error) {
    if (stop.isStopping()) return;
    // The bundle of the edge has its own class.
    throw (error as Error).name === 'StartError' ? new StartError((error as Error).message) : error;
  }
  if (cluster.isWorker) return;
  process.stderr.write(`Burgee Edge is running at http://${settings.host}:${settings.port}\n`);
}

async function requirePort({ port, host }: EdgeSettings): Promise<void> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `Couldn't listen on port ${port} of ${host} (${code}). Set PORT or INTERFACE to another value.`,
    );
  }
  await new Promise((closed) => probe.close(closed));
}

export const edge = command({
  options: { ...upstreamOptions, ...options },
  notes,
  run: (values) => start(values as Given, 'edge'),
});

export const offline = command({
  options: { ...options, ...offlineOptions },
  notes,
  run: (values) => start(values as Given, 'offline'),
});

const probeOptions = {
  'edge-url': text('URL of the edge (http://localhost:3063)', 'URL'),
} as const;

/** Fails unless the path of an edge answers 200. Containers without curl check their health with it. */
const probe = (path: string) =>
  command({
    options: probeOptions,
    run: async (values: Values<typeof probeOptions>) => {
      const { PORT = '3063', BASE_PATH = '', EDGE_URL } = process.env;
      const given = values['edge-url'] ?? EDGE_URL ?? `http://localhost:${PORT}${BASE_PATH}`;
      const url = `${given.replace(/\/+$/, '')}${path}`;
      if (!URL.canParse(url)) throw new StartError('EDGE_URL is not a URL');
      const status = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
        (answer) => answer.status,
        (error) => {
          throw new StartError(`The edge doesn't respond (${error.cause?.code ?? error.name})`);
        },
      );
      if (status !== 200) throw new StartError(`The edge responded with ${status}`);
      process.stdout.write('OK\n');
    },
  });

export const health = probe('/internal-backstage/health');
export const ready = probe('/internal-backstage/ready');
