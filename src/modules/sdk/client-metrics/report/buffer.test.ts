import { describe, expect, test } from 'vitest';
import { type Batch, createBuffer, type UsageReport } from './buffer.ts';

const scope = { environment: 'development', projects: 'all' } as const;
const where = { scope, appName: 'shop', isPublic: false, hourMs: 0 };
const sign = (instanceId: string) => ({
  ...where,
  instanceId,
  sdkVersion: null,
  sdkType: null,
  specVersion: null,
  strategies: null,
  ip: null,
  seenMs: 0,
});
const once = { yes: 1, no: 0 };

const sizeOf = ({ reports, instances }: Batch): number =>
  reports
    .flatMap(({ features }) => [...features.values()])
    .reduce((sum, { variants }) => sum + 1 + (variants?.size ?? 0), instances.length);
const namesIn = (reports: readonly UsageReport[]) =>
  reports.flatMap(({ features }) => [...features.keys()]);

describe('taking a backlog in parts', () => {
  test('limits the size of each part and returns everything exactly once', () => {
    const buffer = createBuffer();
    for (let n = 0; n < 25; n += 1) buffer.addInstanceReport(sign(`instance-${n}`));
    const variants = { a: 1, b: 1, c: 1 };
    for (let n = 0; n < 100; n += 1) {
      buffer.count(where, `feature-${n}`, n % 2 ? once : { ...once, variants }, 0);
      buffer.count({ ...where, appName: 'till' }, `feature-${n}`, once, 0);
    }
    const size = buffer.size();
    expect(size).toBe(25 + 100 * 2 + 50 * 3);
    const parts = buffer.takeAll(10);
    expect(parts.length).toBeGreaterThan(size / 10 - 1);
    expect(parts.map(sizeOf)).toEqual(parts.map((part) => part.size));
    expect(Math.max(...parts.map((part) => part.size))).toBeLessThanOrEqual(10);
    expect(parts.reduce((sum, part) => sum + part.size, 0)).toBe(size);
    const taken = parts.flatMap(({ reports }) => reports);
    for (const appName of ['shop', 'till']) {
      const names = namesIn(taken.filter((report) => report.appName === appName));
      expect([names.length, new Set(names).size]).toEqual([100, 100]);
    }
    expect([buffer.size(), buffer.takeAll(10)]).toEqual([0, []]);
  });

  test('keeps the counts of one feature together, even beyond the limit', () => {
    const buffer = createBuffer();
    const variants = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`v${n}`, 1]));
    for (const feature of ['first', 'second']) {
      buffer.count(where, feature, { ...once, variants }, 0);
    }
    expect(buffer.takeAll(10).map(({ size, reports }) => [size, namesIn(reports)])).toEqual([
      [31, ['first']],
      [31, ['second']],
    ]);
  });
});

test('a long registration uses as much of the buffer as many counts until a shorter one replaces it', () => {
  const buffer = createBuffer();
  buffer.addInstanceReport({ ...sign('pod'), sdkVersion: 'sdk:1', strategies: ['default'] });
  expect(buffer.size()).toBe(1);
  const long = Array.from({ length: 500 }, (_, nth) => String(nth).padEnd(255, 'x'));
  for (const instanceId of ['one', 'two'])
    buffer.addInstanceReport({ ...sign(instanceId), strategies: long });
  expect(buffer.size()).toBeGreaterThan(500);
  const parts = [...buffer.listInTurn(10)];
  expect(parts.map(({ instances }) => instances.length)).toEqual([1, 1, 1]);
  expect(parts.reduce((sum, part) => sum + part.size, 0)).toBe(buffer.size());
  for (const instanceId of ['one', 'two'])
    buffer.addInstanceReport({ ...sign(instanceId), strategies: [] });
  expect(buffer.size()).toBe(3);
});

test('a sign of life keeps the registration and updates when the instance was last seen', () => {
  const buffer = createBuffer();
  const registered = { ...sign('pod'), sdkVersion: 'sdk:1' };
  buffer.addInstanceReport(registered);
  buffer.addInstanceReport({ ...sign('pod'), seenMs: 60_000 });
  expect(buffer.takeAll(10)[0]?.instances).toEqual([{ ...registered, seenMs: 60_000 }]);
});

test('counts reported while a backlog is being taken are kept for the next time', () => {
  const buffer = createBuffer();
  for (let n = 0; n < 30; n += 1) buffer.count(where, `feature-${n}`, once, 0);
  const taken: number[] = [];
  for (const { size } of buffer.takeInTurn(10)) {
    taken.push(size);
    buffer.count(where, 'feature-29', once, 0);
  }
  expect(taken).toEqual([10, 10, 10]);
  expect(buffer.takeAll(10).map(({ reports }) => namesIn(reports))).toEqual([['feature-29']]);
});

test('counts are capped below the limit of safe integers', () => {
  const buffer = createBuffer();
  const most = { yes: 8e15, no: 8e15, variants: { a: 8e15 } };
  for (let n = 0; n < 3; n += 1) buffer.count(where, 'enormous', most, 0);
  const counts = buffer.takeAll(10)[0]?.reports[0]?.features.get('enormous');
  expect(counts).toMatchObject({ yes: 9e15, no: 9e15, variants: new Map([['a', 9e15]]) });
});

test('the last-seen time is the latest evaluation, regardless of the order of reports', () => {
  const buffer = createBuffer();
  for (const seenMs of [20, 30, 10]) buffer.count(where, 'seen', once, seenMs);
  expect(buffer.takeAll(10)[0]?.reports[0]?.features.get('seen')?.seenMs).toBe(30);
});

test.each([{}, { yes: 0, no: 0 }, { yes: 0, no: null, variants: {} }, { variants: { a: 0 } }])(
  'a feature without evaluations is not counted: %j',
  (counted) => {
    const buffer = createBuffer();
    buffer.count(where, 'known-only', counted, 0);
    expect([buffer.size(), buffer.takeAll(10)]).toEqual([0, []]);
  },
);

test('control and invisible characters are replaced in all names', () => {
  const buffer = createBuffer();
  buffer.addInstanceReport({
    ...sign('pod\r1'),
    appName: 'shop\u001b[2J',
    sdkVersion: 'sdk:\u202e1',
    sdkType: 'back\nend',
    specVersion: '5\t2',
    strategies: ['default', 'flexible\u0007'],
  });
  const variants = { 'blue\u200b': 1, 'wei\u200dß': 1 };
  buffer.count({ ...where, appName: 'shop\u001b[2J' }, 'dark-mode\u200b', { ...once, variants }, 0);
  const [batch] = buffer.takeAll(100);
  expect(batch?.instances).toEqual([
    {
      ...sign('pod\ufffd1'),
      appName: 'shop\ufffd[2J',
      sdkVersion: 'sdk:\ufffd1',
      sdkType: 'back\ufffdend',
      specVersion: '5\ufffd2',
      strategies: ['default', 'flexible\ufffd'],
    },
  ]);
  const [report] = batch?.reports ?? [];
  expect(report?.appName).toBe('shop\ufffd[2J');
  // Not counted for the feature whose name looks the same.
  expect([...(report?.features.keys() ?? [])]).toEqual(['dark-mode\ufffd']);
  expect([...(report?.features.get('dark-mode\ufffd')?.variants?.keys() ?? [])]).toEqual([
    'blue\ufffd',
    'wei\u200dß',
  ]);
});
