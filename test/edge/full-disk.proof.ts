import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unsealed } from '../../src/edge/state/state.ts';
import { asRoot } from '../embedded/grounds.ts';
import { closeLater } from '../support/closing.ts';
import { type TestEdge, temporaryFolder, testEdge } from '../support/edge.ts';
import { fakeUpstream, sendJson, sentFeature } from '../support/fake-upstream.ts';
import { clientToken } from '../support/tokens.ts';

const namesOf = async (edge: TestEdge): Promise<string[]> => {
  const { body } = await edge.ask('GET /api/client/features');
  return (JSON.parse(body).features ?? []).map(({ name }: { name: string }) => name);
};

/** Mounting a small disk needs root. */
test.skipIf(!asRoot || process.platform !== 'linux')(
  'on a full disk, an edge serves changes, sends usage, and keeps its old state until there is room',
  async () => {
    const folder = temporaryFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
    closeLater(async () => execFileSync('umount', ['--lazy', folder]));
    const upstream = await fakeUpstream();
    upstream.state.tokens = [{ token: clientToken, type: 'client', projects: ['*'] }];
    upstream.state.features = { '*': [sentFeature('before')] };
    const settings = {
      ...{ UPSTREAM_URL: upstream.url, TOKENS: clientToken, BACKUP_FOLDER: folder },
      ...{ FEATURES_REFRESH_INTERVAL_SECONDS: '1', METRICS_INTERVAL_SECONDS: '1' },
    };
    const edge = await testEdge(settings);
    const file = join(folder, 'burgee-edge-state.json');
    const stored = () => {
      try {
        return JSON.stringify(unsealed(readFileSync(file, 'utf8')));
      } catch (error) {
        return (error as NodeJS.ErrnoException).code ?? 'damaged';
      }
    };
    await expect.poll(stored).toContain('"before"');

    const filler = join(folder, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(1_000_000))).toThrow('ENOSPC');
    expect(statSync(filler).size).toBeGreaterThan(100_000);
    const many = Array.from({ length: 300 }, (_, nth) => sentFeature(`after-${nth}`));
    upstream.state.features = { '*': many };
    await expect.poll(async () => (await namesOf(edge)).length).toBe(many.length);
    upstream.answerWith((_, response) => sendJson(response, {}, 503), '/api/client/metrics/bulk');
    const now = new Date().toISOString();
    const bucket = { start: now, stop: now, toggles: { 'after-1': { yes: 3, no: 0 } } };
    const payload = { appName: 'shop', instanceId: 'one', bucket };
    expect((await edge.ask('POST /api/client/metrics', { payload })).statusCode).toBe(202);
    await expect.poll(() => upstream.asked.get('/api/client/metrics/bulk')).toBeGreaterThan(1);
    expect(stored()).toContain('"before"');
    upstream.answerWith(undefined, '/api/client/metrics/bulk');
    const sum = () =>
      upstream.reports
        .flatMap(({ body }) => (body as { metrics?: { yes: number }[] }).metrics ?? [])
        .reduce((total, { yes }) => total + yes, 0);
    await expect.poll(sum).toBe(3);

    rmSync(filler);
    upstream.state.features = { '*': [sentFeature('with-room')] };
    await expect.poll(stored).toContain('"with-room"');
  },
);
