import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '../../platform/log.ts';
import { kindKey, type ScopedUsage } from './bulk.ts';
import { createQueue } from './queue.ts';

const usage = (environment: string, more: { isPublic?: true } = {}): ScopedUsage => ({
  ...more,
  scope: { environment, projects: 'all' },
  applications: [],
  metrics: [{ featureName: environment }],
  room: 1,
});

const hourMs = 3_600_000;
afterEach(() => {
  vi.restoreAllMocks();
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
  let minute = 0;
  /** Adds usage that was frozen a minute after the last. */
  const add = (...frozen: readonly ScopedUsage[]) => {
    minute += 1;
    queue.add(frozen, minute * 60_000);
  };
  const isHeldBack = (...[environment, more]: Parameters<typeof usage>) =>
    queue.heldBack().has(kindKey(usage(environment, more)));
  return { queue, sent, statuses, add, isHeldBack };
}

describe('usage that the upstream never accepts', () => {
  test.each([
    ['400', 400, 5],
    ['401', 401, 1_440],
    ['404', 404, 1_440],
    ['500', 500, 1_440],
    ['a broken connection', 0, 1_440],
    ['no token', undefined, 1_440],
  ])('with %s does not hold up other usage, and is dropped in the end', async (_, status, most) => {
    const name = status === undefined ? 'without-token' : 'stuck';
    const { queue, sent, add } = tested(status === undefined ? {} : { stuck: status });
    add(usage(name));
    let rounds = 0;
    for (; queue.dropped() === 0 && rounds < 2_000; rounds += 1) {
      add(usage('good'));
      await queue.send();
      expect(sent.length).toBe(rounds + 1);
    }
    expect(rounds).toBe(most);
    expect([queue.size(), queue.dropped()]).toEqual([0, 1]);
  });

  test('is limited in size', async () => {
    const { queue, sent, add } = tested({ stuck: 500 });
    for (let round = 0; round < 200; round += 1) {
      add(usage('good'), ...Array.from({ length: 3 }, () => usage('stuck')));
      await queue.send();
      expect(queue.size()).toBeLessThanOrEqual(300);
    }
    expect(sent.length).toBe(200);
  });

  test('is dropped before usage of backends if it is public', async () => {
    const { queue, add } = tested({ stuck: 403 });
    add(usage('good'), usage('stuck'));
    await queue.send();
    const invented = Array.from({ length: 400 }, () => usage('stuck', { isPublic: true }));
    add(usage('good'), ...invented);
    await queue.send();
    expect([queue.size(), queue.publicSize()]).toEqual([300, 299]);
  });

  test('does not hold up the rest, even if it is tried first', async () => {
    const { queue, sent, add } = tested({ stuck: 0 });
    add(...Array.from({ length: 3 }, () => usage('stuck')), usage('good'));
    await queue.send();
    await queue.send();
    expect(sent).toEqual(['good']);
  });
});

test.each([
  ['failed', 503],
  ['was refused', 401],
  ['was rejected as invalid', 400],
])('usage that %s before an outage is not dropped during the outage', async (_, status) => {
  const { queue, sent, statuses, add } = tested({ late: status });
  add(usage('late'), usage('good'));
  await queue.send();
  expect(sent).toEqual(['good']);
  add(usage('good'));
  statuses.good = status;
  for (let round = 0; round < 2_000; round += 1) await queue.send();
  expect([queue.size(), queue.dropped()]).toEqual([2, 0]);
  statuses.good = 202;
  statuses.late = 202;
  await queue.send();
  expect(sent).toEqual(['good', 'good', 'late']);
});

describe('more usage of the same kind is held back', () => {
  test('after a token was refused, until it is accepted', async () => {
    const { queue, statuses, add, isHeldBack } = tested({ stuck: 401 });
    add(usage('stuck'), usage('good'));
    await queue.send();
    expect([isHeldBack('stuck'), isHeldBack('good')]).toEqual([true, false]);
    expect(isHeldBack('stuck', { isPublic: true })).toBe(false);
    statuses.stuck = 202;
    await queue.send();
    expect(isHeldBack('stuck')).toBe(false);
  });

  test('after three failures, until the end of the outage', async () => {
    const { queue, statuses, add, isHeldBack } = tested({ away: 503 });
    for (let round = 0; round < 3; round += 1) {
      expect(isHeldBack('away')).toBe(false);
      add(usage('away'));
      await queue.send();
    }
    expect([isHeldBack('away'), isHeldBack('away', { isPublic: true })]).toEqual([true, false]);
    statuses.away = 202;
    await queue.send();
    expect(isHeldBack('away')).toBe(false);
  });

  test.each([400, 403, 404, 406])(
    'after many responses with %s, except once an hour',
    async (status) => {
      const { queue, add, isHeldBack } = tested({ stuck: status });
      const now = vi.spyOn(Date, 'now').mockReturnValue(0);
      for (let round = 1; round <= 30; round += 1) {
        expect(isHeldBack('stuck')).toBe(false);
        add(usage('stuck'));
        now.mockReturnValue(round * 60_000);
        await queue.send();
      }
      expect([isHeldBack('stuck'), isHeldBack('stuck', { isPublic: true })]).toEqual([true, false]);
      now.mockReturnValue(30 * 60_000 + hourMs);
      expect(isHeldBack('stuck')).toBe(false);
    },
  );
});

test('public usage that fails does not hold up what backends reported in an outage', async () => {
  const { queue, sent, statuses, add } = tested({ late: 503, stuck: 503 });
  add(usage('late'));
  await queue.send();
  add(...Array.from({ length: 9 }, () => usage('stuck', { isPublic: true })));
  statuses.late = 202;
  await queue.send();
  expect(sent).toEqual(['late']);
});

test('no usage is dropped during an outage, and all of it is sent afterwards', async () => {
  const { queue, sent, statuses, add } = tested({ a: 503, b: 503, c: 503, d: 503 });
  add(...['a', 'b', 'c', 'd'].map((environment) => usage(environment)));
  for (let round = 0; round < 100; round += 1) await queue.send();
  expect([queue.size(), queue.dropped()]).toEqual([4, 0]);
  for (const name of Object.keys(statuses)) statuses[name] = 202;
  await queue.send();
  expect(sent.sort()).toEqual(['a', 'b', 'c', 'd']);
});
