import { expect, test } from 'vitest';
import { countEvents, emptyInstallation, importFrom, own } from './installation.ts';
import { type Replay, replay } from './replay.ts';

const logPath = '/api/admin/search/events?limit=1000&offset=0';

interface Log {
  events: Record<string, unknown>[];
  total: number;
}

const logOf = ({ recording }: Replay) => recording.responses[logPath] as Log;

test('events that cannot be stored are skipped and counted, and the others are imported', async () => {
  const server = await replay('8.2');
  const log = logOf(server);
  const [event] = log.events;
  const newest = Math.max(...log.events.map(({ id }) => Number(id)));
  let deep: unknown = {};
  for (let depth = 0; depth < 90; depth += 1) deep = { deep };
  const bad = [
    ...[{ createdAt: 'yesterday' }, { createdAt: '9999-01-01T00:00:00Z' }, { id: 1e15 }],
    ...[{ featureName: 'x'.repeat(5000) }, { data: { text: 'a\0b' } }, { type: '' }],
    { data: { deep: { deep } }, preData: null },
  ].map((change, index) => ({ ...event, id: newest + 1 + index, ...change }));
  // The last one has the maximum depth.
  log.events.unshift(...bad);
  log.total += bad.length;
  const place = await emptyInstallation();
  const { report } = await importFrom(place, server.url);
  expect(report.events).toBe(log.events.length - 6);
  expect(report.findings).toMatchObject([
    { code: 'EVENTS_INVALID', what: expect.stringContaining('Skipped 6 events') },
  ]);
  const count = await countEvents(place);
  expect((await importFrom(place, server.url)).report.events).toBe(0);
  expect(await countEvents(place)).toBe(count);
});

test('invalid links, names and operators in responses are skipped, and the rest is imported', async () => {
  const server = await replay('8.2');
  const { responses } = server.recording;
  const featureAt = (name: string) =>
    responses[`/api/admin/projects/default/features/${name}?variantEnvironments=true`] as {
      name: string;
      links?: object[];
      environments: { strategies: { constraints: object[] }[] }[];
    };
  featureAt('plain-01').links = [
    { url: 'javascript:alert(1)', title: null },
    { url: 'https://tickets.example.com/1', title: null },
  ];
  const constrained = featureAt('constrained').environments.find(
    ({ strategies }) => strategies.length > 0,
  );
  const [strategy] = constrained?.strategies ?? [];
  if (!strategy) throw new Error('The recording has no strategy there');
  strategy.constraints = [{ contextName: 'userId', operator: 'EVIL', values: ['1'] }];
  const { tokens } = responses['/api/admin/api-tokens'] as { tokens: { secret: string }[] };
  for (const token of tokens) token.secret = '*:*.short';
  const place = await emptyInstallation();
  const { report, theirs } = await importFrom(place, server.url);
  const codes = report.plan.findings.filter(({ code }) => code.startsWith('INVALID'));
  expect(codes.map(({ what }) => what)).toEqual([
    expect.stringMatching(/Skipped 1 feature.*'constrained'.*operator must be/),
    expect.stringMatching(/Skipped a link of 1 feature.*'plain-01'.*\/links\/0\/url must be/),
    expect.stringMatching(/Skipped \d+ API tokens.*\/secret can be guessed/),
  ]);
  const here = await own(place);
  expect(here.tokens).toEqual([]);
  expect(here.features).toHaveLength(theirs.features.length - 1);
  expect(here.features.find(({ name }) => name === 'plain-01')?.links).toEqual([
    { url: 'https://tickets.example.com/1', title: null },
  ]);
});

test('an imported feature that is invalid now is neither archived nor reported as deleted', async () => {
  const server = await replay('8.2');
  const place = await emptyInstallation();
  await importFrom(place, server.url);
  const { responses } = server.recording;
  const path = '/api/admin/projects/default/features/plain-01?variantEnvironments=true';
  responses[path] = { ...(responses[path] as object), createdAt: 'yesterday' };
  const { report } = await importFrom(place, server.url);
  expect(report.plan.findings.map(({ code }) => code)).toContain('INVALID');
  expect(report.plan.findings.map(({ code }) => code)).not.toContain('DELETED_IN_SOURCE');
  expect(report.done).toBe(0);
  const { features } = await own(place);
  expect(features.find(({ name }) => name === 'plain-01')).toMatchObject({ archived: false });
});
