import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { closeLater } from './closing.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** A feature as an upstream sends it, enabled for everyone. */
export const sentFeature = (name: string, more: object = {}) => ({
  ...{ name, type: 'release', description: null, project: 'default', stale: false },
  ...{ enabled: true, impressionData: false, variants: [] },
  strategies: [{ name: 'default', constraints: [], parameters: {}, variants: [] }],
  ...more,
});

export interface FakeUpstream {
  readonly url: string;
  /** What it knows; tests change it. */
  readonly state: {
    tokens: { token: string; type: string; projects: string[]; environment?: string }[];
    features: Record<string, object[]>;
    segments: object[];
  };
  /** Replaces the answers of paths; undefined ends that. */
  answerWith: (answer: Answer | undefined, path?: string) => void;
  /** The bodies of reports of usage. */
  readonly reports: { readonly path: string; readonly token: string; readonly body: never }[];
  /** How often each path was asked. */
  readonly asked: Map<string, number>;
}

export const sendJson = (response: ServerResponse, body: unknown, status = 200, headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
};

/** An upstream that fails on demand. It offers neither streams nor deltas, like Unleash 5. */
export async function fakeUpstream(): Promise<FakeUpstream> {
  const state: FakeUpstream['state'] = { tokens: [], features: {}, segments: [] };
  const reports: FakeUpstream['reports'] = [];
  const asked = new Map<string, number>();
  const answers = new Map<string, Answer>();
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    const path = request.url as string;
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const own = answers.get(path) ?? answers.get('*');
    if (own) return own(request, response, body);
    if (path === '/edge/validate') {
      const { tokens } = JSON.parse(body) as { tokens: string[] };
      return sendJson(response, {
        tokens: state.tokens.filter(({ token }) => tokens.includes(token)),
      });
    }
    const token = request.headers.authorization ?? '';
    if (!state.tokens.some((each) => each.token === token)) return sendJson(response, {}, 401);
    if (path === '/api/client/features') {
      const features = state.features[token] ?? state.features['*'] ?? [];
      return sendJson(response, { version: 2, features, segments: state.segments });
    }
    if (request.method === 'POST') {
      reports.push({ path, token, body: JSON.parse(body) as never });
      return sendJson(response, undefined, 202);
    }
    return sendJson(response, {}, 404);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closeLater(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    answerWith: (answer, path = '*') => (answer ? answers.set(path, answer) : answers.delete(path)),
    reports,
    asked,
  };
}
