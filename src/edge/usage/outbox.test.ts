import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  abandonOutboxes,
  dayMs,
  memoryStore,
  registrationOf,
  sumOf,
  testedOutbox,
  thisHourMs,
  usageOf,
} from '../../../test/support/edge-outbox.ts';
import type { BulkBody } from './bulk.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  abandonOutboxes();
});

test('usage and registrations that no token can send are dropped after a day', async () => {
  const { outbox, sent } = await testedOutbox({ hasToken: () => false });
  await outbox.add(usageOf(['a']));
  await outbox.add(registrationOf('one'));
  await outbox.send();
  expect([outbox.waiting(), outbox.dropped()]).toEqual([2, 0]);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + dayMs + 60_000);
  await outbox.send();
  expect([outbox.waiting(), outbox.dropped(), sent]).toEqual([0, 2, []]);
});

describe('after a restart in an outage, before clients have sent their tokens', () => {
  const hourAgo = (hours: number) => thisHourMs - hours * 3_600_000;

  test('usage is kept for a day, however old it is', async () => {
    const store = memoryStore();
    const first = await testedOutbox({ store, hasToken: () => false });
    await first.outbox.add(usageOf(['a', 'b']));
    const old = usageOf(['old']);
    const reports = old.reports.map((each) => ({ ...each, hourMs: hourAgo(30) }));
    await first.outbox.add({ ...old, reports });
    await first.outbox.close();
    const second = await testedOutbox({ store, hasToken: () => false });
    await second.outbox.send();
    expect([second.outbox.waiting(), second.outbox.dropped()]).toEqual([3, 0]);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + dayMs + 60_000);
    await second.outbox.send();
    expect([second.outbox.waiting(), second.outbox.dropped()]).toEqual([0, 3]);
    const told = second.lines.filter(({ msg }) => msg.includes('no backend token'));
    expect(told).toMatchObject([{ lost: 3 }]);
  });
});

test('usage is summed up while the upstream refuses its token', async () => {
  let status = 401;
  const { outbox, sent } = await testedOutbox({ status: () => status });
  for (let round = 0; round < 20; round += 1) {
    await outbox.add(usageOf(['a']));
    await outbox.send();
  }
  expect([outbox.waiting(), outbox.dropped()]).toEqual([2, 0]);
  status = 202;
  await outbox.send();
  await outbox.send();
  expect([sumOf(sent), sent.length, outbox.waiting()]).toEqual([20, 2, 0]);
});

describe('usage that the upstream rejects does not hold up other usage of the same scope', () => {
  const isWrong = ({ metrics }: BulkBody) => JSON.stringify(metrics).includes('<script>');
  const rounds = 5;

  /** Each round is a minute later. */
  async function refuseSome(status: number | undefined, more: { isPublic?: boolean } = {}) {
    const now = vi.spyOn(Date, 'now').mockReturnValue(thisHourMs);
    const found = await testedOutbox({
      status: (body) => {
        if (!isWrong(body)) return 202;
        if (status === undefined) throw new Error('broken');
        return status;
      },
    });
    for (let round = 1; round <= rounds; round += 1) {
      await found.outbox.add(usageOf(['<script>'], more));
      await found.outbox.send();
      now.mockReturnValue(thisHourMs + round * 60_000);
    }
    expect(found.outbox.dropped()).toBe(0);
    await found.outbox.add(usageOf(['fine']));
    await found.outbox.send();
    return found;
  }

  test.each([400, 403, 404, 406])('if the response is %s', async (status) => {
    const { outbox, sent } = await refuseSome(status);
    expect([sumOf(sent), outbox.waiting()]).toEqual([1, rounds]);
    await outbox.add(usageOf(['fine']));
    await outbox.send();
    expect(sumOf(sent)).toBe(2);
  });

  test.each([400, 401, 403, 503, undefined])(
    'if it is public, whatever the response is: %s',
    async (status) => {
      const { sent } = await refuseSome(status, { isPublic: true });
      expect(sumOf(sent)).toBe(1);
    },
  );
});

describe('after a kill', () => {
  test('usage that the upstream confirmed is not sent again, even if the rest was still being sent', async () => {
    const store = memoryStore();
    const hasCounts = ({ metrics }: BulkBody) => metrics.length > 0;
    const first = await testedOutbox({
      store,
      status: (body) => (hasCounts(body) ? undefined : 202),
    });
    await first.outbox.add(registrationOf('one'));
    await first.outbox.add(usageOf(['a']));
    void first.outbox.send();
    await expect
      .poll(async () => (await store.read('sent'))?.includes(first.sent[0]?.batchId ?? '-'))
      .toBe(true);
    expect(first.sent.map(hasCounts)).toEqual([false]);

    first.outbox.abandon();
    const second = await testedOutbox({ store });
    await second.outbox.send();
    expect(second.sent.map(hasCounts)).toEqual([true]);
  });

  test('a repeated batch of another edge is counted once', async () => {
    const store = memoryStore();
    const first = await testedOutbox({ store, status: () => 503 });
    const id = randomUUID();
    await first.outbox.add(usageOf(['a'], { id }));
    await first.outbox.send();

    first.outbox.abandon();
    const second = await testedOutbox({ store });
    await second.outbox.add(usageOf(['a'], { id }));
    await second.outbox.send();
    expect(sumOf(second.sent)).toBe(1);
  });

  test('stored usage for another upstream is not sent, which is logged', async () => {
    const store = memoryStore();
    const first = await testedOutbox({ store, status: () => 503 });
    await first.outbox.add(usageOf(['a']));
    await first.outbox.close();
    const second = await testedOutbox({ store, upstreamUrl: 'http://another' });
    await second.outbox.send();
    expect([second.sent, second.outbox.waiting()]).toEqual([[], 0]);
    expect(second.lines).toContainEqual(
      expect.objectContaining({
        msg: 'stored usage is not sent',
        err: expect.objectContaining({ message: 'it belongs to another upstream' }),
      }),
    );
  });
});
