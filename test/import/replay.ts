import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { closeLater } from '../support/closing.ts';
import type { Recording } from './record.ts';
import { adminToken } from './unleash.ts';

export interface Replay {
  readonly url: string;
  readonly recording: Recording;
  /** Every request: method and path. */
  readonly requests: string[];
}

/** A server that responds as an Unleash of this version did. What was not asked for then is not there. */
export async function replay(version: string): Promise<Replay> {
  const file = join(import.meta.dirname, 'recorded', `${version}.json`);
  const recording: Recording = JSON.parse(readFileSync(file, 'utf8'));
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(`${request.method} ${path}`);
    const secret = request.headers.authorization ?? '';
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (path === '/api/client/features') {
      const own = recording.client[secret];
      send(own ? 200 : 401, own?.response ?? {});
    } else if (secret !== adminToken) send(401, {});
    else {
      const found = recording.responses[path] ?? null;
      send(found === null ? 404 : 200, found ?? {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, recording, requests };
}
