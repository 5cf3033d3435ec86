import { systemActor } from '../../src/modules/access/gate/index.ts';
import { createUsage } from '../../src/modules/sdk/client-metrics/report/usage.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import type { TestApp } from './app.ts';

/** Usage without a server. The test decides how transactions end. */
export function standAloneUsage(
  { db }: Pick<TestApp, 'db'>,
  transact: TestApp['transact'],
  clock: Clock = systemClock,
) {
  const endings: (() => Promise<void>)[] = [];
  const usage = createUsage({
    db,
    transact,
    system: systemActor,
    clock,
    log: createLogger('silent'),
    settings: { metricsRetentionDays: 30 } as never,
    atEnd: (work) => void endings.push(work),
  });
  return { usage, end: () => Promise.all(endings.map((work) => work())) };
}
