import type { AddressInfo } from 'node:net';
import { InMemStorageProvider, Unleash, type UnleashConfig } from 'unleash-client';
import { vi } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { closeLater } from '../support/closing.ts';
import { clientToken } from '../support/tokens.ts';

/** Starts to listen if necessary and returns the URL. */
export async function addressOf({ app }: TestApp, port = 0): Promise<string> {
  if (!app.server.listening) await app.listen({ port, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** The ways in which the SDK can receive changes. */
export const modes = {
  polling: { type: 'polling', format: 'full' },
  delta: { type: 'polling', format: 'delta' },
  streaming: { type: 'streaming' },
} as const satisfies Record<string, UnleashConfig['experimentalMode']>;

interface RunningSdk {
  readonly unleash: Unleash;
  /** Errors and warnings of the SDK. */
  readonly errors: string[];
  /** How often the server responded that nothing changed. */
  readonly unchanged: () => number;
}

/** Starts the official server-side SDK and waits until it is synchronized. */
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
    // An open request may still fail, and an error event without a listener would be thrown.
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
