import { expect, test } from 'vitest';
import { addCounted, createMetrics, createTally } from './metrics.ts';

test('a metric that cannot be read is omitted and does not affect others', async () => {
  const { gauge, registry } = createMetrics();
  gauge({ name: 'good', help: 'x' }, () => 1);
  gauge({ name: 'absent', help: 'x' }, () => undefined);
  gauge({ name: 'failing', help: 'x' }, () => Promise.reject(new Error('no database')));
  gauge({ name: 'labelled', help: 'x', labels: ['a'] }, () => [{ labels: { a: 'b' }, value: 2 }]);
  gauge({ name: 'lost', help: 'x', labels: ['a'] }, () => Promise.reject(new Error('gone')));
  const values = (await registry.metrics()).split('\n').filter((line) => /^\w/.test(line));
  expect(values).toEqual(['good 1', 'labelled{a="b"} 2']);
});

test('a metric that hangs or fails has its fallback value', async () => {
  const { gauge, registry } = createMetrics();
  gauge({ name: 'hanging', help: 'x', otherwise: 0 }, () => new Promise<number>(() => undefined));
  gauge({ name: 'failing', help: 'x', otherwise: 0 }, () => Promise.reject(new Error('away')));
  gauge({ name: 'good', help: 'x', otherwise: 0 }, () => 1);
  const values = (await registry.metrics()).split('\n').filter((line) => /^\w/.test(line));
  expect(values).toEqual(['hanging 0', 'failing 0', 'good 1']);
});

test('labels that no longer exist are no longer reported', async () => {
  const { gauge, registry } = createMetrics();
  let names = ['one', 'two'];
  gauge({ name: 'pending', help: 'x', labels: ['of'] }, () =>
    names.map((of) => ({ labels: { of }, value: 1 })),
  );
  expect(await registry.metrics()).toContain('of="one"');
  names = ['two'];
  expect(await registry.metrics()).not.toContain('of="one"');
});

test('counts of a thread are added once', async () => {
  const metrics = createMetrics();
  const tally = createTally();
  const count = tally.counter({ name: 'attempts_total', help: 'x', labels: ['outcome'] });
  count({ outcome: 'success' });
  count({ outcome: 'success' }, 2);
  count({ outcome: 'failed' });
  addCounted(metrics, structuredClone(tally.take()));
  expect(tally.take()).toEqual([]);
  count({ outcome: 'failed' });
  addCounted(metrics, structuredClone(tally.take()));
  const text = await metrics.registry.metrics();
  expect(text).toContain('attempts_total{outcome="success"} 3');
  expect(text).toContain('attempts_total{outcome="failed"} 2');
});
