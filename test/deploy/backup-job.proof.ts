import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { runCommand, startServer } from '../support/server-process.ts';

const root = join(import.meta.dirname, '..', '..');
const dayMs = 86_400_000;

test('the backup job writes a verified file beside a running server, and removes old files only after a success', async () => {
  const DATABASE_URL = urlOf((await testDatabase()).connection);
  await startServer({ DATABASE_URL });
  const folder = mkdtempSync(join(tmpdir(), 'burgee-backups-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const daysOld = (file: string, days: number) => {
    const at = new Date(Date.now() - days * dayMs);
    writeFileSync(join(folder, file), '');
    utimesSync(join(folder, file), at, at);
  };
  daysOld('burgee-old.backup', 32);
  daysOld('burgee-young.backup', 29);
  daysOld('notes.txt', 90);

  const manifest = parse(
    readFileSync(join(root, 'deploy/kubernetes/components/backup/backup.yaml'), 'utf8'),
  );
  const [{ command, args }] = manifest.spec.jobTemplate.spec.template.spec.containers;
  const script = (args as string[])
    .join('\n')
    .replaceAll('/app/bin', join(root, 'bin'))
    .replaceAll('/backups', folder);
  const run = (url: string) => {
    const [program, ...options] = command as [string, ...string[]];
    const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url };
    return spawnSync(program, [...options, script], { env, encoding: 'utf8' });
  };

  expect(run(`${DATABASE_URL.replace(/\?.*/, '')}-missing`).status).not.toBe(0);
  expect(readdirSync(folder)).toContain('burgee-old.backup');

  const { status, stdout, stderr } = run(DATABASE_URL);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Wrote and verified');
  const files = readdirSync(folder).sort();
  expect(files).toEqual([
    expect.stringMatching(/^burgee-\d{4}-\d{2}-\d{2}T\d{6}Z\.backup$/),
    'burgee-young.backup',
    'notes.txt',
  ]);
  const checked = await runCommand(['backup', 'check', join(folder, files[0] as string)], {});
  expect(checked.code, checked.output).toBe(0);
});
