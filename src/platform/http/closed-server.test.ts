import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { Gate } from './authenticate.ts';
import { registerMetrics } from './metrics.ts';

async function closedServer(): Promise<WeakRef<Registry>> {
  const app = Fastify();
  const registry = new Registry();
  registerMetrics(app, { gate: {} as Gate, isPublic: true, registry });
  const { body } = await app.inject('/internal-backstage/prometheus');
  expect(body).toContain('process_cpu_seconds_total');
  await app.close();
  return new WeakRef(registry);
}

test('listeners of the process do not keep a closed server in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const metrics = await closedServer();
  await expect
    .poll(async () => {
      await pause(1);
      collect();
      // The registry itself must not be returned: the error of a failed attempt would keep it.
      return metrics.deref() === undefined;
    })
    .toBe(true);
});
