import { expect, test } from 'vitest';
import { createLogger } from '../../platform/log.ts';
import { readEdgeSettings } from '../settings.ts';
import { createEdgeReports } from './edge-reports.ts';

interface Sent {
  readonly connectedEdges: readonly { readonly identifier: string }[];
  readonly traffic: { readonly requestsSinceLastReport: object };
}

function testReports() {
  const sent: Sent[] = [];
  const state = { status: 202 };
  const reports = createEdgeReports({
    settings: readEdgeSettings({ UPSTREAM_URL: 'http://localhost:1', TOKENS: '*:production.abc' }),
    instanceId: 'one',
    upstream: {
      get: () => Promise.reject(new Error('not asked')),
      open: () => Promise.reject(new Error('not asked')),
      durations: () => ({ avg: null, p99: null }),
      close: () => undefined,
      post: async (_, body) => {
        sent.push(body as Sent);
        return { status: state.status, headers: {}, body: undefined };
      },
    },
    log: createLogger('silent'),
  });
  const take = (edges: object[], requests = {}) =>
    reports.take({ ...{ process: 1, streams: 0, memoryBytes: 1, requests }, edges });
  return { sent, state, take, send: () => reports.send('secret', undefined) };
}

test('a report is never larger than upstreams accept, and includes all edges in turn', async () => {
  const { sent, take, send } = testReports();
  const behind = Array.from({ length: 20 }, (_, nth) => ({
    identifier: `edge-${nth}`,
    more: 'x'.repeat(100_000),
  }));
  for (let times = 0; times < 3; times += 1) {
    // Each edge reports once in between, always in the same order.
    take(behind);
    await send();
  }
  for (const each of sent) expect(JSON.stringify(each).length).toBeLessThan(1024 * 1024);
  const told = sent.flatMap(({ connectedEdges }) => connectedEdges);
  expect(new Set(told.map(({ identifier }) => identifier)).size).toBe(20);
});

test('the report of an edge that is too large is sent without the edges behind it', async () => {
  const { sent, take, send } = testReports();
  take([{ identifier: 'far', connectedEdges: [{ more: 'x'.repeat(1_000_000) }] }]);
  await send();
  expect(sent[0]?.connectedEdges).toEqual([{ identifier: 'far' }]);
});

test('requests counted in a refused report are included in the next one', async () => {
  const { sent, state, take, send } = testReports();
  take([], { '/api/client/features': { 200: 3 } });
  state.status = 413;
  await send();
  state.status = 202;
  await send();
  for (const { traffic } of sent)
    expect(traffic.requestsSinceLastReport).toEqual({ '/api/client/features': { 200: 3 } });
});
