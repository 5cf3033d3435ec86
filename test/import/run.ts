import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeResponses, type OpenApiDocument } from './describe.ts';
import { fill } from './fill.ts';
import { record, writeRecording } from './record.ts';
import { adminToken, startUnleash } from './unleash.ts';

/**
 * Imports from a real Unleash: installs, starts and fills it, imports it twice, verifies and cuts over. With
 * IMPORT_RECORD=1, it creates fewer features and records the responses and the API for the tests.
 */
const version = process.env.UNLEASH_VERSION ?? '6.6';
const folder = process.env.UNLEASH_FOLDER ?? join(tmpdir(), `unleash-${version}`);
const isRecording = process.env.IMPORT_RECORD === '1';
const data = mkdtempSync(join(tmpdir(), 'burgee-import-'));
const unleash = await startUnleash(folder, version, Number(process.env.UNLEASH_PORT ?? 4394));

function burgee(...args: string[]): { output: string; code: number | null; seconds: number } {
  const began = performance.now();
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'src/cli/index.ts', 'import', 'unleash', '--url', unleash.url, ...args],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, DATA_DIR: data, UNLEASH_TOKEN: adminToken },
    },
  );
  return { output: stdout, code: status, seconds: (performance.now() - began) / 1000 };
}

function expectThat(isTrue: boolean, what: string): void {
  process.stdout.write(`${isTrue ? 'ok' : 'FAILED'}: ${what}\n`);
  if (!isTrue) process.exitCode = 1;
}

try {
  await fill(unleash.url, adminToken, isRecording ? 0 : 1000);
  const recording = await record(unleash.url);
  if (isRecording) {
    const file = (name: string) => join(import.meta.dirname, 'recorded', `${name}.json`);
    writeRecording(file(version), recording);
    const document = await fetch(`${unleash.url}/docs/openapi.json`);
    const described = Object.entries(describeResponses((await document.json()) as OpenApiDocument));
    const names = described.map(([path, properties]) => [path, properties.join(' ')]);
    writeRecording(file(`openapi-${version}`), Object.fromEntries(names));
  } else {
    const first = burgee('--rate', '1000');
    expectThat(first.code === 0, 'the import ends without refusals');
    expectThat(first.seconds < 60, `1,000 features in ${first.seconds.toFixed(1)} s`);
    const second = burgee('--rate', '1000');
    expectThat(
      second.output.includes('created or changed 0 objects'),
      'a second run changes nothing',
    );
    const tokens = Object.entries(recording.client).flatMap(([secret, { environment }]) => [
      '--client-token',
      `${environment}=${secret}`,
    ]);
    const verified = burgee('--verify', ...tokens);
    process.stdout.write(verified.output);
    expectThat(verified.code === 0, 'SDKs decide the same with both');
    const partly = burgee('--cut-over', ...tokens.slice(0, 2));
    expectThat(partly.code === 1, 'no cut-over while an environment has not been verified');
    const cutOver = burgee('--cut-over', ...tokens);
    expectThat(cutOver.code === 0, 'the cutover succeeds');
  }
} finally {
  await unleash.stop();
  rmSync(data, { recursive: true, force: true });
}
