import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { pathsOf } from '../../../../test/support/faults.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';

type Ask = TestApp['ask'];

let app: TestApp;
let editor: Person;
beforeAll(async () => {
  app = await testApp();
  const { project, feature, switchedOn } = make(app.ask);
  await project('secret', { mode: 'private' });
  await project('open');
  for (const name of ['first', 'second', 'third']) await feature(name, { project: 'open' });
  await switchedOn('first', { project: 'open' });
  await feature('unseen', { project: 'secret' });
  editor = await person(app, { rootRole: 2 });
});

const preview = async (ask: Ask, more: object = {}) =>
  ask('POST /api/admin/addons/preview', {
    payload: { provider: 'webhook', events: ['feature-created'], ...more },
  });

interface Answer {
  readonly examined: number;
  readonly matched: number;
  readonly messages: readonly {
    readonly event: { readonly featureName: string | null; readonly project: string | null };
    readonly message?: { readonly body: unknown };
  }[];
}

const previewed = async (ask: Ask, more: object = {}): Promise<Answer> =>
  (await preview(ask, more)).json();

const featuresIn = ({ messages }: Answer) => messages.map(({ event }) => event.featureName);

describe('a preview of an integration', () => {
  test('returns how many recent events match and shows the latest messages', async () => {
    const answer = await previewed(app.ask);
    expect(answer.matched).toBe(4);
    expect(answer.examined).toBeGreaterThan(4);
    expect(featuresIn(answer)).toEqual(['unseen', 'third', 'second', 'first']);
    expect(answer.messages[0]?.message?.body).toMatchObject({
      type: 'feature-created',
      featureName: 'unseen',
      ip: null,
    });
  });

  test('matches like a delivery: types, projects, environments and tags', async () => {
    const matchedBy = async (more: object) => (await previewed(app.ask, more)).matched;
    expect(await matchedBy({ events: [] })).toBe(0);
    expect(await matchedBy({ projects: ['open'] })).toBe(3);
    expect(await matchedBy({ projects: ['*'] })).toBe(4);
    expect(await matchedBy({ tags: [{ type: 'simple', value: 'none-has-it' }] })).toBe(0);
    const events = ['feature-environment-enabled'];
    const inDevelopment = await matchedBy({ events, environments: ['development'] });
    const inProduction = await matchedBy({ events, environments: ['production'] });
    expect([inDevelopment, inProduction]).toEqual([1, 0]);
  });

  test('names owners, whom the event identifies by ID', async () => {
    await app.ask('PUT /api/admin/projects/open/features/second', {
      payload: { owner: { type: 'user', id: editor.id } },
    });
    const { messages } = await previewed(app.ask, { events: ['feature-metadata-updated'] });
    expect(messages).toMatchObject([
      {
        event: { summary: expect.stringContaining(`made user **${editor.id}** owner of`) },
        message: {
          body: { summary: expect.stringContaining(`made user **${editor.name}** owner of`) },
        },
      },
    ]);
  });

  test('renders an unsaved template and ignores secrets', async () => {
    const parameters = {
      bodyTemplate: '{"made": "{{event.featureName}}"}',
      url: '*****',
      authorization: 'Bearer of-nobody',
    };
    const response = await preview(app.ask, { parameters, projects: ['open'] });
    expect(response.json().messages[0].message).toEqual({
      contentType: 'application/json',
      body: '{"made": "third"}',
    });
    expect(response.body).not.toContain('of-nobody');
  });

  test('shows at most five messages and records nothing', async () => {
    const before = await previewed(app.ask, { events: [] });
    const types = (await app.ask('GET /api/admin/addons')).json().providers[0].events;
    const answer = await previewed(app.ask, { events: types });
    expect(answer.messages).toHaveLength(5);
    expect(answer.matched).toBe(answer.examined);
    expect((await previewed(app.ask, { events: [] })).examined).toBe(before.examined);
    const { addons } = (await app.ask('GET /api/admin/addons')).json();
    expect(addons).toEqual([]);
  });

  test('reveals nothing about invisible projects, not even numbers', async () => {
    const answer = await previewed(editor.ask);
    expect(featuresIn(answer)).toEqual(['third', 'second', 'first']);
    expect(answer.matched).toBe(3);
    expect(await previewed(editor.ask, { projects: ['secret'] })).toEqual({
      ...(await previewed(editor.ask, { projects: ['absent'] })),
    });
    const { messages } = await previewed(editor.ask, {
      events: ['user-created', 'project-created', 'api-token-created'],
    });
    expect(messages.map(({ event }) => event.project)).toEqual(['open', 'default']);
  });

  test.each([
    ['an unknown provider', { provider: 'pigeon' }, '/body/provider'],
    ['an unknown event type', { events: ['feature-eaten'] }, '/body/events/0'],
    [
      'a template that cannot be parsed',
      { parameters: { bodyTemplate: '{{#event}}' } },
      '/body/parameters/bodyTemplate',
    ],
  ])('returns 400 for %s', async (_what, more, path) => {
    const response = await preview(app.ask, more);
    expect([response.statusCode, pathsOf(response)]).toEqual([400, [path]]);
  });

  test('does not require parameters needed only for sending', async () => {
    const response = await preview(app.ask, { provider: 'slack', parameters: {} });
    expect([response.statusCode, response.json().matched]).toEqual([200, 4]);
  });
});
