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
  /** Responses that replace recorded ones, by path. */
  readonly failures: Map<string, { readonly status: number; readonly type: string }>;
}

/** The response to a search for features by name, from the recorded list of all. */
function searched(recording: Recording, path: string): unknown {
  const words = new URL(path, 'http://there').searchParams.get('query');
  const all = recording.responses[path.replace(/&query=[^&]*/, '')] as
    | { features: { name: string }[] }
    | undefined;
  return all && { features: all.features.filter(({ name }) => name.includes(words ?? '')) };
}

/** Like version 5: pages of at most 100, newest first. */
function foundEvents(recording: Recording, { limit, offset }: { limit: number; offset: number }) {
  const all = recording.responses['/api/admin/search/events?limit=1000&offset=0'] as {
    events: unknown[];
    total: number;
  };
  if (limit > 100) return undefined;
  return { events: all.events.slice(offset, offset + limit), totalEvents: all.total };
}

/**
 * A server that responds like an Unleash of this version did. Other paths do not exist. With `asVersion5`, it
 * searches events only with POST.
 */
export async function replay(version: string, { asVersion5 = false } = {}): Promise<Replay> {
  const file = join(import.meta.dirname, 'recorded', `${version}.json`);
  const recording: Recording = JSON.parse(readFileSync(file, 'utf8'));
  const requests: string[] = [];
  const failures: Replay['failures'] = new Map();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(`${request.method} ${path}`);
    const secret = request.headers.authorization ?? '';
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const failure = failures.get(path);
    if (failure) {
      response.writeHead(failure.status, { 'content-type': failure.type });
      response.end(failure.type === 'text/html' ? '<html>' : '{}');
    } else if (path === '/api/client/features') {
      const own = recording.client[secret];
      send(own ? 200 : 401, own?.response ?? {});
    } else if (secret !== adminToken) send(401, {});
    else if (asVersion5 && request.method === 'POST') {
      request.setEncoding('utf8').on('data', (body) => {
        const found = foundEvents(recording, JSON.parse(body));
        send(found ? 200 : 400, found ?? {});
      });
    } else if (asVersion5 && path.startsWith('/api/admin/search/events')) send(404, {});
    else {
      const found =
        recording.responses[path] ??
        (path.includes('&query=') ? searched(recording, path) : undefined);
      send(found ? 200 : 404, found ?? {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, recording, requests, failures };
}
