import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { openHub } from '../../src/edge/run.ts';
import { buildEdgeApp } from '../../src/edge/serving/edge-app.ts';
import { readEdgeSettings } from '../../src/edge/settings.ts';
import { createLogger } from '../../src/platform/log.ts';
import { closeLater } from './closing.ts';
import { clientToken } from './tokens.ts';

export interface TestEdge {
  readonly app: FastifyInstance;
  readonly url: () => Promise<string>;
  /** Sends requests with the token of a backend unless told otherwise. */
  readonly ask: (
    request: `${'GET' | 'POST'} ${string}`,
    options?: {
      readonly token?: string;
      readonly payload?: object;
      readonly headers?: Record<string, string>;
    },
  ) => Promise<LightMyRequestResponse>;
  /** Sends and stores everything, and ends. */
  readonly close: () => Promise<void>;
  /** Ends without storing anything more, as a kill does. */
  readonly kill: () => Promise<void>;
}

/** An edge in this process, with the settings of an operator. */
export async function testEdge(
  settings: Readonly<Record<string, string>>,
  command: 'edge' | 'offline' = 'edge',
  log = createLogger(process.env.TEST_LOG_LEVEL === 'error' ? 'error' : 'silent'),
): Promise<TestEdge> {
  const read = readEdgeSettings(settings, {}, command);
  const hub = await openHub(read, 'tested', log);
  await hub.start();
  const app = await buildEdgeApp({ settings: read, instanceId: 'tested', feed: hub, log });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await app.close();
    await hub.close();
  };
  closeLater(close);
  return {
    app,
    async url() {
      if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
      return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    },
    ask(request, { token = clientToken, payload, headers } = {}) {
      const [method, url] = request.split(' ');
      return app.inject({
        method: method as 'GET',
        url: url as string,
        headers: { authorization: token, 'unleash-client-spec': '5.2.0', ...headers },
        ...(payload && { payload }),
      });
    },
    close,
    async kill() {
      if (isClosed) return;
      isClosed = true;
      await app.close();
      hub.abandon();
    },
  };
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-edge-'));
  closeLater(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
