import { expect, test } from 'vitest';
import { workerEndsMs } from './run.ts';

test('a worker is not killed while it closes streams, answers requests, and stores usage', () => {
  // Ten seconds for requests; 4.2 s of pauses between tries to store usage.
  expect(workerEndsMs({ shutdownDelayMs: 0 })).toBeGreaterThan(14_200);
  // The delay, and ten seconds for streams. The Kubernetes manifest has this delay, and a grace period of a minute.
  const withDelay = workerEndsMs({ shutdownDelayMs: 15_000 });
  expect(withDelay).toBeGreaterThan(39_200);
  expect(withDelay).toBeLessThan(50_000);
});
