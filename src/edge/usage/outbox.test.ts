import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Batch } from '../../modules/sdk/client-metrics/report/buffer.ts';
import { createLogger } from '../../platform/log.ts';
import type { StateStore } from '../state/state.ts';
import type { BulkBody } from './bulk.ts';
import { createOutbox, type Outbox } from './outbox.ts';

const scope = { environment: 'development', projects: 'all' } as const;
const dayMs = 86_400_000;
const thisHourMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;

/** What is left on the disk after a kill. */
function memoryStore(usage?: string) {
  const texts = new Map(usage === undefined ? [] : [['usage', usage]]);
  /** Whatever was left there at some time. */
  const usages: string[] = [];
  const store: StateStore = {
    keepsUsage: true,
    read: async (name) => texts.get(name),
    async write(name, textFrom) {
      const text = textFrom();
      texts.set(name, text);
      if (name === 'usage') usages.push(text);
    },
  };
  return { ...store, usages };
}

interface Tested {
  readonly outbox: Outbox;
  readonly sent: BulkBody[];
  readonly lines: { msg: string; lost?: number; err?: { message: string } }[];
}

const opened: Outbox[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const outbox of opened.splice(0)) outbox.abandon();
});

/** An outbox whose upstream answers with a status; undefined never answers. */
async function tested(
  options: {
    readonly store?: StateStore;
    readonly status?: (body: BulkBody) => number | undefined;
    readonly hasToken?: () => boolean;
    readonly upstreamUrl?: string;
  } = {},
): Promise<Tested> {
  const { status = () => 202, hasToken = () => true } = options;
  const sent: BulkBody[] = [];
  const lines: Tested['lines'] = [];
  const outbox = createOutbox({
    store: options.store,
    upstreamUrl: options.upstreamUrl ?? 'http://upstream',
    upstream: {
      async post(_path, body) {
        const answer = status(body as BulkBody);
        if (answer === undefined) return new Promise(() => undefined);
        if (answer === 202) sent.push(body as BulkBody);
        return { status: answer, headers: {}, body: undefined };
      },
    },
    findToken: () => (hasToken() ? 'token' : undefined),
    mayCount: () => true,
    sender: { appName: 'edge', instanceId: 'tested' },
    log: createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) }),
  });
  opened.push(outbox);
  await outbox.restore();
  return { outbox, sent, lines };
}

const counts = { yes: 1, no: 0, variants: undefined, seenMs: 0 };

const usageOf = (
  features: readonly string[],
  more: { isPublic?: boolean; id?: string } = {},
): Batch => ({
  ...(more.id !== undefined && { id: more.id }),
  instances: [],
  reports: [
    {
      ...{ scope, appName: 'shop', isPublic: more.isPublic ?? false, hourMs: thisHourMs },
      features: new Map(features.map((name) => [name, { ...counts }])),
    },
  ],
  size: features.length,
});

const registrationOf = (instanceId: string, strategies = ['default']): Batch => ({
  reports: [],
  instances: [
    {
      ...{ scope, appName: 'shop', instanceId, isPublic: false, ip: null, seenMs: Date.now() },
      ...{ sdkVersion: 'sdk:1', sdkType: null, specVersion: null, strategies },
    },
  ],
  size: 1,
});

const many = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);
const sumOf = (sent: readonly BulkBody[]) =>
  sent
    .flatMap(({ metrics }) => metrics as { yes: number }[])
    .reduce((sum, { yes }) => sum + yes, 0);

describe('what waits is bounded', () => {
  test('for public tokens to a share, so that backends can report', async () => {
    const { outbox, lines } = await tested({ status: () => 503 });
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

  test('by the length of registrations, too', async () => {
    const { outbox } = await tested({ status: () => 503 });
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

test('what no token can send is dropped after a day, also registrations', async () => {
  const { outbox, sent } = await tested({ hasToken: () => false });
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

  test('usage is kept for a day, however much it is and however old', async () => {
    const store = memoryStore();
    const first = await tested({ store, hasToken: () => false });
    for (let nth = 0; nth < 8; nth += 1) await first.outbox.add(usageOf(many(`a-${nth}`, 20_000)));
    const old = usageOf(['old']);
    const reports = old.reports.map((each) => ({ ...each, hourMs: hourAgo(30) }));
    await first.outbox.add({ ...old, reports });
    await first.outbox.close();
    const second = await tested({ store, hasToken: () => false });
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

test('usage with a token that the upstream refuses is summed until it is accepted', async () => {
  let status = 401;
  const { outbox, sent } = await tested({ status: () => status });
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

describe('usage that the upstream does not take does not hold up other usage of the same scope', () => {
  const isWrong = ({ metrics }: BulkBody) => JSON.stringify(metrics).includes('<script>');
  const rounds = 5;

  /** Each round is a minute later. */
  async function refuseSome(status: number | undefined, more: { isPublic?: boolean } = {}) {
    const now = vi.spyOn(Date, 'now').mockReturnValue(thisHourMs);
    const found = await tested({
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

  test.each([400, 403, 404, 406])('if it is answered with %s', async (status) => {
    const { outbox, sent } = await refuseSome(status);
    expect([sumOf(sent), outbox.waiting()]).toEqual([1, rounds]);
    await outbox.add(usageOf(['fine']));
    await outbox.send();
    expect(sumOf(sent)).toBe(2);
  });

  test.each([400, 401, 403, 503, undefined])(
    'if it is public, whatever the answer is: %s',
    async (status) => {
      const { sent } = await refuseSome(status, { isPublic: true });
      expect(sumOf(sent)).toBe(1);
    },
  );
});

describe('after a kill', () => {
  test('what the upstream confirmed is not sent again, although the rest was on its way', async () => {
    const store = memoryStore();
    const hasCounts = ({ metrics }: BulkBody) => metrics.length > 0;
    const first = await tested({ store, status: (body) => (hasCounts(body) ? undefined : 202) });
    await first.outbox.add(registrationOf('one'));
    await first.outbox.add(usageOf(['a']));
    void first.outbox.send();
    await expect
      .poll(async () => (await store.read('sent'))?.includes(first.sent[0]?.batchId ?? '-'))
      .toBe(true);
    expect(first.sent.map(hasCounts)).toEqual([false]);

    first.outbox.abandon();
    const second = await tested({ store });
    await second.outbox.send();
    expect(second.sent.map(hasCounts)).toEqual([true]);
  });

  test('a batch of another edge that is repeated is counted once', async () => {
    const store = memoryStore();
    const first = await tested({ store, status: () => 503 });
    const id = randomUUID();
    await first.outbox.add(usageOf(['a'], { id }));
    await first.outbox.send();

    first.outbox.abandon();
    const second = await tested({ store });
    await second.outbox.add(usageOf(['a'], { id }));
    await second.outbox.send();
    expect(sumOf(second.sent)).toBe(1);
  });

  test('usage of another upstream is not sent, and the log tells', async () => {
    const store = memoryStore();
    const first = await tested({ store, status: () => 503 });
    await first.outbox.add(usageOf(['a']));
    await first.outbox.close();
    const second = await tested({ store, upstreamUrl: 'http://another' });
    await second.outbox.send();
    expect([second.sent, second.outbox.waiting()]).toEqual([[], 0]);
    expect(second.lines).toContainEqual(
      expect.objectContaining({
        msg: 'stored usage is not sent',
        err: expect.objectContaining({ message: 'it belongs to another upstream' }),
      }),
    );
  });

  test('a lot of usage is complete, whenever it was', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const store = memoryStore();
    const first = await tested({ store, status: () => 503 });
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
      const { outbox, sent } = await tested({ store: memoryStore(usage) });
      await outbox.send();
      expect(sumOf(sent.filter(({ isPublic }) => isPublic))).toBe(10_000);
      expect(sumOf(sent)).toBeGreaterThanOrEqual(30_000);
    }
  });
});
