import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { pathsOf } from '../../../../test/support/faults.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { countEvents } from '../../../../test/support/recorded.ts';
import { eventTypes } from '../../events/index.ts';

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

const post = (more: object = {}, here = app) =>
  here.ask(`POST ${addons}`, { payload: webhook(more) });
const created = async (more: object = {}, here = app) => (await post(more, here)).json();
const put = (id: number, more: object = {}, here = app) =>
  here.ask(`PUT ${addons}/${id}`, { payload: webhook({ parameters: { url: '*****' }, ...more }) });
const get = async (id: number, here = app) => (await here.ask(`GET ${addons}/${id}`)).json();

describe('an integration', () => {
  test('is returned completely after creation, with masked secrets', async () => {
    const response = await post({
      description: 'tells the team',
      parameters: { url, contentType: 'text/plain', authorization: 'Bearer canary' },
      projects: ['default'],
      environments: ['production', 'production'],
      tags: [{ type: 'simple', value: 'loud' }],
      inOrder: true,
      retentionDays: 7,
    });
    expect(response.statusCode, response.body).toBe(201);
    const { generated, ...whole } = response.json();
    expect(whole).toEqual({
      id: expect.any(Number),
      provider: 'webhook',
      description: 'tells the team',
      enabled: false,
      parameters: {
        url: '*****',
        contentType: 'text/plain',
        authorization: '*****',
        signingSecret: '*****',
      },
      events: ['feature-created', 'feature-archived'],
      projects: ['default'],
      environments: ['production'],
      tags: [{ type: 'simple', value: 'loud' }],
      inOrder: true,
      retentionDays: 7,
      createdAt: expect.any(String),
      paused: false,
      delivery: { pending: 0, givenUp: 0 },
    });
    expect(generated).toEqual({ signingSecret: expect.stringMatching(/^whsec_[\w+/]{32}$/) });
    expect(response.headers.location).toBe(`addons/${whole.id}`);
    expect(await get(whole.id)).toEqual(whole);
    const list = (await app.ask(`GET ${addons}`)).json();
    expect(list.addons.find(({ id }: { id: number }) => id === whole.id)).toEqual(whole);
  });

  test('requires only the properties of the reference and applies defaults', async () => {
    expect(await created()).toMatchObject({
      description: null,
      projects: [],
      environments: [],
      tags: [],
      inOrder: false,
      retentionDays: 30,
    });
  });

  test('with * as a project or environment applies to all', async () => {
    const { id, projects, environments } = await created({
      projects: ['*'],
      environments: ['development', '*'],
    });
    expect([projects, environments]).toEqual([[], []]);
    const named = { projects: ['default'], environments: ['development'] };
    expect((await put(id, named)).json()).toMatchObject(named);
    expect((await put(id, { projects: ['default', '*'] })).json()).toMatchObject({
      projects: [],
      environments: [],
    });
  });

  test('is replaced by PUT, except for properties that clients of the reference do not know', async () => {
    const ours = { tags: [{ type: 'simple', value: 'loud' }], inOrder: true, retentionDays: 90 };
    const { id } = await created({ ...ours, description: 'before', projects: ['default'] });
    const response = await put(id, { enabled: true, events: ['feature-revived'] });
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        ...(await get(id)),
        ...ours,
        enabled: true,
        description: null,
        projects: [],
        events: ['feature-revived'],
        parameters: { url: '*****', signingSecret: '*****' },
      },
    ]);
    const without = await put(id, { tags: [], inOrder: false, retentionDays: 1 });
    expect(without.json()).toMatchObject({ tags: [], inOrder: false, retentionDays: 1 });
  });

  test('cannot change its provider', async () => {
    const { id } = await created();
    const response = await put(id, { provider: 'datadog', parameters: { apiKey: 'a-key' } });
    expect([response.statusCode, pathsOf(response)]).toEqual([400, ['/body/provider']]);
    expect(response.json().message).toContain('webhook');
  });

  test('is immediately available on another instance', async () => {
    const there = await appOn(app);
    const { id } = await created({ description: 'one' });
    expect((await get(id, there)).description).toBe('one');
    await put(id, { description: 'two' }, there);
    expect((await get(id)).description).toBe('two');
  });

  test('is deleted with its parameters and secrets', async () => {
    const { id } = await created({ parameters: { url, contentType: 'text/plain' } });
    const response = await app.ask(`DELETE ${addons}/${id}`);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    for (const line of [`GET ${addons}/${id}`, `DELETE ${addons}/${id}`] as const) {
      expect((await app.ask(line)).statusCode).toBe(404);
    }
    expect((await put(id)).statusCode).toBe(404);
    const { addons: left } = (await app.ask(`GET ${addons}`)).json();
    expect(left.map((each: { id: number }) => each.id)).not.toContain(id);
    const row = await app.db
      .selectFrom('integrations')
      .where('id', '=', id)
      .select(['parameters', 'secrets', 'secret_names'])
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ parameters: {}, secrets: null, secret_names: [] });
  });

  test.each(['0', '-1', '1.5', 'abc', '99999999999', '2147483647', '%20'])(
    'with the id %s returns 404 for every request',
    async (id) => {
      for (const line of [
        `GET ${addons}/${id}`,
        `PUT ${addons}/${id}`,
        `DELETE ${addons}/${id}`,
        `POST ${addons}/${id}/signing-secret`,
      ] as const) {
        const payload = line.startsWith('PUT') ? { payload: webhook() } : {};
        const response = await app.ask(line, payload);
        expect([line, response.statusCode, response.json().name]).toEqual([
          line,
          404,
          'NotFoundError',
        ]);
      }
    },
  );

  test('is rejected beyond the limit of 100', async () => {
    const existing = (await app.ask(`GET ${addons}`)).json().addons.length;
    const inserted = await app.db
      .insertInto('integrations')
      .values(
        Array.from({ length: 99 - existing }, () => ({
          provider: 'webhook',
          description: null,
          enabled: false,
          parameters: '{}',
          secret_names: [],
          events: [],
          projects: [],
          environments: [],
          tags: '[]',
          in_order: false,
          retention_days: 30,
          responsible_kind: 'system' as const,
          named_after: 0,
          created_at: new Date(),
        })),
      )
      .returning('id')
      .execute();
    const hundredth = await post();
    expect(hundredth.statusCode).toBe(201);
    const before = await countEvents(app.db);
    const response = await post();
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(await countEvents(app.db)).toBe(before);
    await app.ask(`DELETE ${addons}/${hundredth.json().id}`);
    expect((await post()).statusCode).toBe(201);
    const ids = inserted.map(({ id }) => id);
    await app.db.deleteFrom('integrations').where('id', 'in', ids).execute();
  });
});

describe('the list of providers', () => {
  test('contains everything the UI needs for their forms', async () => {
    const { providers } = (await app.ask(`GET ${addons}`)).json();
    const {
      name,
      displayName,
      description,
      documentationUrl,
      howTo,
      events,
      tagTypes,
      parameters,
    } = providers[0];
    expect([name, displayName]).toEqual(['webhook', 'Webhook']);
    expect([description, documentationUrl, howTo].map((text) => text.length > 0)).toEqual([
      true,
      true,
      true,
    ]);
    expect(events).toEqual([...eventTypes]);
    expect(tagTypes).toEqual([]);
    expect(parameters[0]).toEqual({
      name: 'url',
      displayName: 'URL',
      description: expect.any(String),
      placeholder: expect.any(String),
      type: 'url',
      required: true,
      sensitive: true,
    });
  });
});

describe('permissions for integrations', () => {
  test('are not needed for reading, and each change needs exactly its own', async () => {
    const { id } = await created();
    const viewer = await person(app);
    expect((await viewer.ask(`GET ${addons}`)).statusCode).toBe(200);
    expect((await viewer.ask(`GET ${addons}/${id}`)).statusCode).toBe(200);
    const requests = {
      CREATE_ADDON: [`POST ${addons}`, webhook()],
      UPDATE_ADDON: [`PUT ${addons}/${id}`, webhook()],
      DELETE_ADDON: [`DELETE ${addons}/${id}`, undefined],
    } as const;
    for (const [permission, [line, payload]] of Object.entries(requests)) {
      const refused = await viewer.ask(line, payload ? { payload } : {});
      expect([refused.statusCode, refused.json().name]).toEqual([403, 'NoAccessError']);
      expect(refused.json().message).toContain(permission);
      const rootRole = await customRole(app, 'root-custom', [{ name: permission }]);
      const somebody = await person(app, { rootRole });
      for (const [other, [request, body]] of Object.entries(requests)) {
        if (other === permission) continue;
        expect((await somebody.ask(request, body ? { payload: body } : {})).statusCode).toBe(403);
      }
      expect((await somebody.ask(line, payload ? { payload } : {})).statusCode).toBeLessThan(300);
    }
  });
});

describe('projects and environments of an integration', () => {
  test('are rejected with their positions if they do not exist', async () => {
    await make(app.ask).project('to-archive');
    await app.ask('POST /api/admin/projects/archive/to-archive');
    const response = await post({
      projects: ['default', 'nowhere', 'to-archive'],
      environments: ['production', 'moon'],
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      { path: '/body/projects/1', message: "/body/projects/1: project 'nowhere' not found" },
      { path: '/body/projects/2', message: "/body/projects/2: project 'to-archive' not found" },
      {
        path: '/body/environments/1',
        message: "/body/environments/1: environment 'moon' not found",
      },
    ]);
  });

  test('can stay after they were deleted, until they are removed', async () => {
    await make(app.ask).project('leaving');
    await make(app.ask).environment('leaving');
    const filters = { projects: ['leaving', 'default'], environments: ['leaving'] };
    const { id } = await created(filters);
    for (const line of [
      'POST /api/admin/projects/archive/leaving',
      'DELETE /api/admin/projects/leaving',
      'DELETE /api/admin/environments/leaving',
    ] as const) {
      const response = await app.ask(line);
      expect(response.statusCode, response.body).toBeLessThan(300);
    }
    const editor = await person(app, { rootRole: 2 });
    for (const { ask } of [app, editor]) {
      expect((await ask(`GET ${addons}/${id}`)).json()).toMatchObject(filters);
      const changed = await ask(`PUT ${addons}/${id}`, {
        payload: webhook({ ...filters, parameters: { url: '*****' }, enabled: ask === app.ask }),
      });
      expect([changed.statusCode, changed.json()]).toMatchObject([200, filters]);
    }
    await put(id, { projects: ['default'] });
    expect(pathsOf(await put(id, { projects: ['leaving'] }))).toEqual(['/body/projects/0']);
  });
});
