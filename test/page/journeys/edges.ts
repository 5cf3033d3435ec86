import { expect } from 'vitest';
import { pageTest } from '../../support/page-test.ts';
import { programs } from '../../support/usage.ts';

const test = pageTest();

test('the edges page shows how to start an edge, and lists edges once they report', async ({
  api,
  origin,
  page,
  visit,
}) => {
  await visit('/admin/edges');
  await page.getByText('No edges in the last hour').waitFor();
  await page.getByText(`npx burgee edge --upstream ${origin} --token 'TOKEN'`).waitFor();

  const behind = { identifier: '01B', appName: 'edge-store', edgeVersion: '20.1.1' };
  const report = {
    identifier: '01A',
    appName: 'edge-oslo',
    edgeVersion: '0.2.0',
    region: 'eu-north-1',
    stateAgeSeconds: 130,
    connectedStreamingClients: 1_204,
    latencyUpstream: { features: { avg: 12.5, p99: 80 } },
    connectedEdges: [behind],
  };
  expect((await programs(api).post('metrics/edge', report)).statusCode).toBe(202);
  await visit('/admin/edges');
  const row = page.getByRole('row', { name: /edge-oslo/ });
  await row.waitFor();
  const text = (await row.innerText()).replace(/\s+/g, ' ');
  for (const part of ['eu-north-1', '0.2.0', '2 min', '1,204', '12.5 ms, p99 80 ms', 'just now'])
    expect(text).toContain(part);
  await page.getByRole('row', { name: /edge-store.*Behind another edge/ }).waitFor();
});
