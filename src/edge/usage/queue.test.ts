import { describe, expect, test } from 'vitest';
import { createLogger } from '../../platform/log.ts';
import type { ScopedUsage } from './bulk.ts';
import { createQueue } from './queue.ts';

const usage = (environment: string): ScopedUsage => ({
  scope: { environment, projects: 'all' },
  applications: [],
  metrics: [{ featureName: environment }],
});

/** A queue whose upstream answers with a status for each environment; 0 breaks the connection. */
function tested(statuses: Record<string, number>) {
  const sent: string[] = [];
  const queue = createQueue({
    log: createLogger('silent'),
    findToken: ({ environment }) => (environment === 'without-token' ? undefined : environment),
    upstream: {
      post: async (_path, _body, { token = '' } = {}) => {
        const status = statuses[token] ?? 202;
        if (status === 0) throw new Error('broken');
        if (status === 202) sent.push(token);
        return { status, headers: {}, body: undefined };
      },
    },
  });
  return { queue, sent, statuses };
}

describe('usage that the upstream never takes', () => {
  test.each([
    ['401', 401],
    ['404', 404],
    ['500', 500],
    ['a broken connection', 0],
    ['no token', undefined],
  ])('with %s does not hold up other usage, and is dropped in the end', async (_, status) => {
    const name = status === undefined ? 'without-token' : 'stuck';
    const { queue, sent } = tested(status === undefined ? {} : { stuck: status });
    queue.add([usage(name)]);
    let rounds = 0;
    for (; queue.dropped() === 0 && rounds < 1_000; rounds += 1) {
      queue.add([usage('good')]);
      await queue.send();
      expect(sent.length).toBe(rounds + 1);
      expect(queue.countFrozen()).toBe(0);
    }
    expect(rounds).toBe(30);
    expect([queue.size(), queue.dropped()]).toEqual([0, 1]);
  });

  test('is bounded, however much it is', async () => {
    const { queue, sent } = tested({ stuck: 403 });
    for (let round = 0; round < 20; round += 1) {
      queue.add([...Array.from({ length: 50 }, () => usage('stuck')), usage('good')]);
      await queue.send();
      expect(queue.size()).toBeLessThanOrEqual(100);
    }
    expect(sent.length).toBe(20);
  });
});

test('in an outage nothing is dropped, and few requests are sent', async () => {
  const { queue, sent, statuses } = tested({ a: 503, b: 503, c: 503, d: 503 });
  queue.add(['a', 'b', 'c', 'd'].map(usage));
  for (let round = 0; round < 100; round += 1) await queue.send();
  expect([queue.size(), queue.dropped(), queue.countFrozen()]).toEqual([4, 0, 1]);
  for (const name of Object.keys(statuses)) statuses[name] = 202;
  await queue.send();
  expect(sent.sort()).toEqual(['a', 'b', 'c', 'd']);
});
