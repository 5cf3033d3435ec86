import { describe, expect, test } from 'vitest';
import { createLogger } from '../../platform/log.ts';
import type { ScopedUsage } from './bulk.ts';
import { createQueue } from './queue.ts';

const usage = (environment: string): ScopedUsage => ({
  scope: { environment, projects: 'all' },
  applications: [],
  metrics: [{ featureName: environment }],
  room: 1,
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
    ['400', 400, 5],
    ['401', 401, 1_440],
    ['404', 404, 1_440],
    ['500', 500, 1_440],
    ['a broken connection', 0, 1_440],
    ['no token', undefined, 1_440],
  ])('with %s does not hold up other usage, and is dropped in the end', async (_, status, most) => {
    const name = status === undefined ? 'without-token' : 'stuck';
    const { queue, sent } = tested(status === undefined ? {} : { stuck: status });
    queue.add([usage(name)]);
    let rounds = 0;
    for (; queue.dropped() === 0 && rounds < 2_000; rounds += 1) {
      queue.add([usage('good')]);
      await queue.send();
      expect(sent.length).toBe(rounds + 1);
      expect(queue.countFrozen()).toBe(0);
    }
    expect(rounds).toBe(most);
    expect([queue.size(), queue.dropped()]).toEqual([0, 1]);
  });

  test('is bounded, however much it is', async () => {
    const { queue, sent } = tested({ stuck: 500 });
    for (let round = 0; round < 200; round += 1) {
      queue.add([usage('good'), ...Array.from({ length: 3 }, () => usage('stuck'))]);
      await queue.send();
      expect(queue.size()).toBeLessThanOrEqual(300);
    }
    expect(sent.length).toBe(200);
  });

  test('does not hold up the rest, even if it is tried first', async () => {
    const { queue, sent } = tested({ stuck: 0 });
    queue.add([...Array.from({ length: 3 }, () => usage('stuck')), usage('good')]);
    await queue.send();
    await queue.send();
    expect(sent).toEqual(['good']);
  });
});

test.each([
  ['failed', 503],
  ['was refused', 401],
  ['was called wrong', 400],
])('usage that %s before an outage is not dropped in it', async (_, status) => {
  const { queue, sent, statuses } = tested({ late: status });
  queue.add([usage('late'), usage('good')]);
  await queue.send();
  expect(sent).toEqual(['good']);
  queue.add([usage('good')]);
  statuses.good = status;
  for (let round = 0; round < 2_000; round += 1) await queue.send();
  expect([queue.size(), queue.dropped()]).toEqual([2, 0]);
  statuses.good = 202;
  statuses.late = 202;
  await queue.send();
  expect(sent).toEqual(['good', 'good', 'late']);
});

test('usage that was refused is known by its scope until it is taken', async () => {
  const { queue, statuses } = tested({ stuck: 403 });
  queue.add([usage('stuck'), usage('good')]);
  await queue.send();
  const refused = () =>
    ['stuck', 'good'].map((environment) => queue.refuses({ environment, projects: 'all' }));
  expect(refused()).toEqual([true, false]);
  statuses.stuck = 202;
  await queue.send();
  expect(refused()).toEqual([false, false]);
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
