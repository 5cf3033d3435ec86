import type { AddressInfo } from 'node:net';
import { InMemStorageProvider, Unleash, type UnleashConfig } from 'unleash-client';
import { vi } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { closeLater } from '../support/closing.ts';
import { clientToken } from '../support/tokens.ts';

/** Where a server is reached, which listens from now on. */
export async function addressOf({ app }: TestApp, port = 0): Promise<string> {
  if (!app.server.listening) await app.listen({ port, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** In each of the ways in which the SDK hears of changes. */
export const modes = {
  polling: { type: 'polling', format: 'full' },
  delta: { type: 'polling', format: 'delta' },
  streaming: { type: 'streaming' },
} as const satisfies Record<string, UnleashConfig['experimentalMode']>;

interface RunningSdk {
  readonly unleash: Unleash;
  /** What it complained of. */
  readonly errors: string[];
  /** How often it was told that nothing changed. */
  readonly unchanged: () => number;
}

/** The official SDK for servers as it comes, started and synchronised. */
export async function startSdk(
  url: string,
  { token = clientToken, ...more }: Partial<UnleashConfig> & { token?: string } = {},
): Promise<RunningSdk> {
  const unleash = new Unleash({
    appName: 'tested',
    url: `${url}/api/`,
    customHeaders: { Authorization: token },
    refreshInterval: 50,
    disableMetrics: true,
    skipInstanceCountWarning: true,
    storageProvider: new InMemStorageProvider(),
    ...more,
  });
  closeLater(async () => {
    unleash.destroy();
    // What was under way may still fail, and by then the SDK has nobody who listens: it would be thrown.
    const { repository } = unleash as unknown as { repository: NodeJS.EventEmitter };
    repository.on('error', () => undefined);
  });
  const errors: string[] = [];
  let unchanged = 0;
  unleash.on('error', (error: Error) => errors.push(error.message));
  unleash.on('warn', (warning: unknown) => errors.push(String(warning)));
  unleash.on('unchanged', () => {
    unchanged += 1;
  });
  await vi.waitUntil(() => unleash.isSynchronized(), { timeout: 60_000, interval: 10 });
  return { unleash, errors, unchanged: () => unchanged };
}
