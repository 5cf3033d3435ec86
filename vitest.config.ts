import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slow test files, which start first: one that started last delayed the end of the run by 80 s. */
const long = [
  'src/modules/integrations/delivery/survive.proof.ts',
  'test/server/kill.proof.ts',
  'test/embedded/start.proof.ts',
  'test/page/journeys.test.ts',
  'test/access/matrix.test.ts',
  'test/import/import.test.ts',
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
    // The UI formats numbers and times in the language of the user. Tests expect English on every machine.
    env: new Intl.NumberFormat().resolvedOptions().locale === 'en-US' ? {} : { LC_ALL: 'C' },
    isolate: false,
    // One test file takes 10 s instead of 18 if nothing has changed since the last run.
    experimental: { fsModuleCache: true },
    // Two more than cores, because each worker waits half of its time, for the database or for timers. With one more,
    // two cores were only 75% busy.
    maxWorkers: availableParallelism() + 2,
    // With the default of 16 MB, garbage collection of young objects took a fifth of a worker's time. Most code runs a few
    // times only: compiled at once, it takes a twentieth less time.
    execArgv: ['--max-semi-space-size=64', '--always-sparkplug'],
    sequence: { sequencer: LongFirst },
    // These only end tests that hang. No test may fail because the machine is busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
