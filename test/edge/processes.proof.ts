import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { unsealed } from '../../src/edge/state/state.ts';
import { closeLater } from '../support/closing.ts';
import { temporaryFolder, testEdge } from '../support/edge.ts';
import { sendJson, sentFeature } from '../support/fake-upstream.ts';
import { clientToken } from '../support/tokens.ts';

const script = new URL('./writing-state.ts', import.meta.url).pathname;

test('a kill while the state is written leaves either the old or the new state, complete', async () => {
  const folder = temporaryFolder();
  let last = -1;
  for (let round = 0; round < 10; round += 1) {
    const writer = spawn(process.execPath, ['--import', 'tsx', script, folder]);
    await once(writer.stdout, 'data');
    await pause(Math.random() * 100);
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    const { number, text } = unsealed(readFileSync(join(folder, 'burgee-edge-state.json'), 'utf8'));
    expect(String(text)).toMatch(/^x+$/);
    last = Math.max(last, number as number);
  }
  expect(last).toBeGreaterThan(0);
});

test('an upstream with an untrusted certificate gets no token, and its features are not served', async () => {
  const folder = temporaryFolder();
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files],
    { stdio: 'ignore' },
  );
  const tokens = [{ token: clientToken, type: 'client', projects: ['*'] }];
  let asked = 0;
  const upstream = createServer(
    { key: readFileSync(keyFile), cert: readFileSync(certificateFile) },
    (request, response) => {
      asked += 1;
      if (request.url === '/edge/validate') return sendJson(response, { tokens });
      if (request.url !== '/api/client/features') return sendJson(response, {}, 404);
      return sendJson(response, { features: [sentFeature('fresh')] });
    },
  );
  await once(upstream.listen(0), 'listening');
  closeLater(async () => {
    upstream.closeAllConnections();
    upstream.close();
  });
  const file = join(folder, 'features.json');
  writeFileSync(file, JSON.stringify({ features: [sentFeature('old')] }));
  const settings = {
    UPSTREAM_URL: `https://localhost:${(upstream.address() as AddressInfo).port}`,
    TOKENS: clientToken,
    BOOTSTRAP_FILE: file,
    FEATURES_REFRESH_INTERVAL_SECONDS: '1',
  };
  const namesOf = async (edge: Awaited<ReturnType<typeof testEdge>>) => {
    const { body, headers } = await edge.ask('GET /api/client/features');
    const isStale = headers['x-burgee-stale-seconds'] !== undefined;
    return [isStale, ...JSON.parse(body).features.map(({ name }: { name: string }) => name)];
  };
  const wary = await testEdge(settings);
  await expect.poll(() => namesOf(wary)).toEqual([true, 'old']);
  expect(asked).toBe(0);
  const trusting = await testEdge({ ...settings, UPSTREAM_CERTIFICATE_FILE: certificateFile });
  await expect.poll(() => namesOf(trusting)).toEqual([false, 'fresh']);
});
