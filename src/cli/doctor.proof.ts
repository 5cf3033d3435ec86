import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLine } from '../../test/support/command-line.ts';
import { dataDir } from '../../test/support/data-dir.ts';
import type { Finding } from './doctor/finding.ts';

test('doctor reports a damaged key file and continues with the other checks', async () => {
  const home = dataDir();
  expect(await commandLine(['migrate'], { DATA_DIR: home })).toMatchObject({ code: 0 });
  writeFileSync(join(home, 'encryption.key'), 'torn');
  const { code, stdout } = await commandLine(['doctor', '--json'], { DATA_DIR: home });
  expect(code).toBe(1);
  const findings: Finding[] = JSON.parse(stdout);
  expect(findings.find(({ check }) => check === 'encryption key')).toMatchObject({
    state: 'fail',
    message: expect.stringContaining("encryption.key doesn't contain a base64 key of 32 bytes"),
  });
  expect(findings.map(({ check }) => check)).toContain('deliveries');
});
