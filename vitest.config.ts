import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // One module graph per worker: 150 HTTP tests take 10 s this way and 55 s with a graph per file.
    setupFiles: ['test/support/closing.ts'],
    isolate: false,
    // One more than cores: each worker waits half of its time, for the database and for what takes time by itself.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
