import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { recordedBy } from '../../../../test/support/recorded.ts';
import { findProvider } from '../providers/catalogue.ts';

const addons = '/api/admin/addons';
const url = 'http://127.0.0.1:9/hook';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const webhook = (more: object = {}) => ({
  provider: 'webhook',
  enabled: false,
  parameters: { url },
  events: ['feature-created', 'feature-archived'],
  ...more,
});

const post = (more: object = {}) => app.ask(`POST ${addons}`, { payload: webhook(more) });
const created = async (more: object = {}) => (await post(more)).json();
const put = (id: number, more: object = {}) =>
  app.ask(`PUT ${addons}/${id}`, { payload: webhook({ parameters: { url: '*****' }, ...more }) });

const summaryOf = async (response: Awaited<ReturnType<typeof post>>) => {
  const found = await app.db
    .selectFrom('events')
    .where('request_id', '=', String(response.headers['x-request-id']))
    .select(['summary', 'label'])
    .executeTakeFirstOrThrow();
  return [found.label, found.summary];
};

const facts = {
  provider: 'webhook',
  enabled: false,
  description: 'the *first*',
  events: ['feature-created', 'feature-archived'],
  projects: [],
  environments: [],
  tags: [],
  inOrder: false,
  retentionDays: 30,
  responsible: { kind: 'token', id: expect.any(Number) },
  paused: false,
  createdAt: expect.any(String),
};

test('6: addon-config-created records the integration without the values of its parameters', async () => {
  const response = await post({ description: 'the *first*' });
  const { id } = response.json();
  expect(await recordedBy(app.db, response)).toEqual([
    {
      type: 'addon-config-created',
      project: null,
      environment: null,
      data: { id, ...facts },
      preData: null,
    },
  ]);
  expect(await summaryOf(response)).toEqual([
    'Integration created',
    '**admin** created integration **the \\*first\\***',
  ]);
});

test('6: addon-config-updated records the integration before and after, and names the changed parameters', async () => {
  const { id } = await created({ description: 'the *first*' });
  const same = { description: 'the *first*' };
  const moved = await put(id, { ...same, parameters: { url: `${url}/2`, contentType: 'a/b' } });
  expect(await recordedBy(app.db, moved)).toMatchObject([
    {
      type: 'addon-config-updated',
      data: { id, ...facts, changedParameters: ['contentType', 'url'] },
      preData: { id, ...facts },
    },
  ]);
  expect((await summaryOf(moved))[1]).toBe('**admin** updated integration **the \\*first\\***');
  const kept = { url: '*****', contentType: 'a/b' };
  const switched = await put(id, { ...same, parameters: kept, enabled: true });
  const [event] = await recordedBy(app.db, switched);
  expect(event?.data).toEqual({ id, ...facts, enabled: true });
  expect((await summaryOf(switched))[1]).toContain('enabled integration');
  const both = await put(id, { ...same, events: [], parameters: kept });
  expect((await summaryOf(both))[1]).toContain('updated integration');
});

test('6: addon-config-deleted records the former integration', async () => {
  const { id } = await created({ description: 'the *first*' });
  const response = await app.ask(`DELETE ${addons}/${id}`);
  expect(await recordedBy(app.db, response)).toMatchObject([
    { type: 'addon-config-deleted', data: null, preData: { id, ...facts } },
  ]);
  expect((await summaryOf(response))[1]).toContain('deleted integration **the');
});

test('an update that changes nothing records nothing, also with masked secrets', async () => {
  const payload = {
    description: 'x',
    projects: ['default'],
    parameters: { url, authorization: 'Bearer canary' },
  };
  const { id } = await created(payload);
  for (const parameters of [
    payload.parameters,
    { url: '*****', authorization: '*****' },
    { url: '*****', authorization: '*****', signingSecret: '*****', contentType: '' },
  ]) {
    const response = await put(id, { ...payload, parameters });
    expect([response.statusCode, await recordedBy(app.db, response)]).toEqual([200, []]);
  }
});

test('a long description is shortened in the summary', async () => {
  const response = await post({ description: '🦜'.repeat(5_000) });
  expect(response.statusCode).toBe(201);
  expect((await summaryOf(response))[1]).toBe(
    `**admin** created integration **${'🦜'.repeat(80)}…**`,
  );
  expect((await post({ description: 'x'.repeat(10_001) })).statusCode).toBe(400);
});

test('the first integration of a provider creates the tag types of the provider', async () => {
  const provider = findProvider('slack-app');
  const [type] = provider?.tagTypes ?? [];
  if (!type) throw new Error('slack-app has no tag type');
  const slack = {
    provider: 'slack-app',
    enabled: false,
    parameters: { accessToken: 'xoxb-canary-token' },
    events: ['feature-created'],
  };
  const first = await app.ask(`POST ${addons}`, { payload: slack });
  expect(first.statusCode, first.body).toBe(201);
  expect((await recordedBy(app.db, first)).map((event) => event.type)).toEqual([
    'tag-type-created',
    'addon-config-created',
  ]);
  expect((await app.ask(`GET /api/admin/tag-types/${type.name}`)).statusCode).toBe(200);
  const second = await app.ask(`POST ${addons}`, { payload: slack });
  expect((await recordedBy(app.db, second)).map((event) => event.type)).toEqual([
    'addon-config-created',
  ]);
});

test('the second of two concurrent updates starts from the result of the first', async () => {
  const { id } = await created({ description: 'none' });
  const responses = await Promise.all(
    ['one', 'two'].map((description) => put(id, { description })),
  );
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const recorded = (await Promise.all(responses.map((each) => recordedBy(app.db, each)))).flat();
  const saidBy = (facts: unknown) => (facts as { description: string }).description;
  const steps = recorded.map(({ data, preData }) => [saidBy(preData), saidBy(data)]);
  expect([
    [
      ['none', 'one'],
      ['one', 'two'],
    ],
    [
      ['two', 'one'],
      ['none', 'two'],
    ],
  ]).toContainEqual(steps);
});
