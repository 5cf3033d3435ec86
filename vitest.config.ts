import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each of these takes long. Begun among the last, one of them kept everybody waiting for 80 s. */
const long = [
  'src/modules/integrations/delivery/survive.proof.ts',
  'test/server/kill.proof.ts',
  'test/embedded/start.proof.ts',
  'test/server/serve.test.ts',
  'test/page/axe.test.ts',
  'test/access/matrix.test.ts',
  'test/import/import.test.ts',
  'test/backup/embedded.test.ts',
  'test/reference/reference.test.ts',
  'src/modules/flags/features/clone/dry-run.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = long.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? long.length : place;
};

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => placeOf(one) - placeOf(other));
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // One module graph per worker: 150 HTTP tests take 10 s this way and 55 s with a graph per file.
    setupFiles: ['test/support/closing.ts', 'test/support/setup.ts'],
    // The page writes numbers and times as its reader's language does. Tests expect English, whoever runs them.
    env: new Intl.NumberFormat().resolvedOptions().locale === 'en-US' ? {} : { LC_ALL: 'C' },
    isolate: false,
    // Two more than cores: each worker waits half of its time, for the database and for what takes time by itself.
    // With one more, two cores were used to three quarters.
    maxWorkers: availableParallelism() + 2,
    // A fifth of a worker's time went into collecting what died young: the 16 MB for it were too few.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: LongFirst },
    // They end what hangs. No test may fail because the machine is busy: polling waits as long as the test may.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
