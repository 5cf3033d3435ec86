import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import common from './vitest.config.ts';

const seed = process.env.PROOF_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
console.log(`Random cases are drawn with PROOF_SEED=${seed}`);

/** Tests of `npm test` that try a few of many cases and all of them here. */
const withMoreCases = ['src', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => readFileSync(file, 'utf8').includes('/random-cases.ts')),
);

/** Tests that take minutes: process starts, kills, endurance, thousands of random cases. */
export default mergeConfig(
  { ...common, test: { ...common.test, include: [] } },
  defineConfig({
    test: {
      include: ['src/**/*.proof.ts', 'test/**/*.proof.ts', ...withMoreCases],
      env: { PROOF_SEED: seed },
      // Thousands of changes take ten minutes on a busy machine.
      testTimeout: 3_600_000,
      hookTimeout: 300_000,
    },
  }),
);
