import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import common from './vitest.config.ts';

const seed = process.env.PROOF_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
console.log(`Random cases are drawn with PROOF_SEED=${seed}`);

/** Tests of `npm test` with random cases, which run many more of them here. */
const withRandomCases = ['src', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => /randomCases\(|proofSeed/.test(readFileSync(file, 'utf8'))),
);

/** Tests that take minutes: kills, endurance, thousands of random cases. */
export default mergeConfig(
  { ...common, test: { ...common.test, include: [] } },
  defineConfig({
    test: {
      include: ['src/**/*.proof.ts', 'test/**/*.proof.ts', ...withRandomCases],
      env: { PROOF_SEED: seed },
      testTimeout: 600_000,
      hookTimeout: 300_000,
    },
  }),
);
