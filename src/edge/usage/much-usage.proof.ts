import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  abandonOutboxes,
  dayMs,
  many,
  memoryStore,
  registrationOf,
  sumOf,
  testedOutbox,
  thisHourMs,
  usageOf,
} from '../../../test/support/edge-outbox.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  abandonOutboxes();
});

describe('usage that waits to be sent is bounded', () => {
  test('to a share for public tokens, so that backends can still report', async () => {
    const { outbox, lines } = await testedOutbox({ status: () => 503 });
    for (let nth = 0; nth < 6; nth += 1) {
      await outbox.add(usageOf(many(`invented-${nth}`, 20_000), { isPublic: true }));
      await outbox.send();
    }
    expect([outbox.waiting(), outbox.dropped()]).toEqual([100_000, 20_000]);
    const told = lines.filter(({ msg }) => msg.includes('frontend tokens'));
    expect(told.length).toBe(1);
    await outbox.add(usageOf(many('own', 150_000)));
    expect(outbox.waiting()).toBe(250_000);
    await expect(outbox.add(usageOf(many('too-much', 60_000)))).rejects.toThrow('Too much usage');
  });

  test('also by the length of registrations', async () => {
    const { outbox } = await testedOutbox({ status: () => 503 });
    const long = many('x'.repeat(240), 500);
    const fill = async () => {
      for (let nth = 0; nth < 5_000; nth += 1) {
        await outbox.add(registrationOf(`one-${nth}`, long));
        if (nth === 500) await outbox.send();
      }
    };
    await expect(fill()).rejects.toThrow('Too much usage');
  });
});

describe('after a restart in an outage, before clients have sent their tokens', () => {
  const hourAgo = (hours: number) => thisHourMs - hours * 3_600_000;

  test('a lot of usage is kept for a day, however old it is', async () => {
    const store = memoryStore();
    const first = await testedOutbox({ store, hasToken: () => false });
    for (let nth = 0; nth < 8; nth += 1) await first.outbox.add(usageOf(many(`a-${nth}`, 20_000)));
    const old = usageOf(['old']);
    const reports = old.reports.map((each) => ({ ...each, hourMs: hourAgo(30) }));
    await first.outbox.add({ ...old, reports });
    await first.outbox.close();
    const second = await testedOutbox({ store, hasToken: () => false });
    await second.outbox.send();
    expect([second.outbox.waiting(), second.outbox.dropped()]).toEqual([160_001, 0]);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + dayMs + 60_000);
    await second.outbox.send();
    expect([second.outbox.waiting(), second.outbox.dropped()]).toEqual([0, 160_001]);
    const told = second.lines.filter(({ msg }) => msg.includes('no backend token'));
    expect(told).toMatchObject([{ lost: 160_001 }]);
  });
});

test('a large amount of usage survives a kill at any time', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const store = memoryStore();
  const first = await testedOutbox({ store, status: () => 503 });
  await first.outbox.add(usageOf(many('a', 20_000)));
  await first.outbox.add(usageOf(many('b', 10_000), { isPublic: true }));
  vi.advanceTimersByTime(5_000);
  await expect.poll(() => store.usages.length).toBe(1);
  const sending = first.outbox.send();
  await first.outbox.add(usageOf(['late']));
  vi.advanceTimersByTime(5_000);
  await sending;
  expect(store.usages.length).toBeGreaterThan(2);
  for (const usage of store.usages) {
    const { outbox, sent } = await testedOutbox({ store: memoryStore(usage) });
    await outbox.send();
    expect(sumOf(sent.filter(({ isPublic }) => isPublic))).toBe(10_000);
    expect(sumOf(sent)).toBeGreaterThanOrEqual(30_000);
  }
});
