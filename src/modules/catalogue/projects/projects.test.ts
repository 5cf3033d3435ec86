import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { tickingClock } from '../../../../test/support/ticking-clock.ts';
import { createProject } from './create/service.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: tickingClock() });
});

const projects = '/api/admin/projects';
const instant = expect.stringMatching(/^2026-01-01T00:\d\d:\d\d\.000Z$/);

const create = (payload: object) => app.ask(`POST ${projects}`, { payload });
const overview = async (id: string) => (await app.ask(`GET ${projects}/${id}/overview`)).json();
const idsOf = (response: { json: () => { projects: { id: string }[] } }) =>
  response.json().projects.map(({ id }) => id);

describe('an empty installation', () => {
  test('has the default project with both environments, created by the system', async () => {
    const response = await app.ask(`GET ${projects}`);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      version: 1,
      projects: [
        {
          id: 'default',
          name: 'Default',
          mode: 'open',
          defaultStickiness: 'default',
          featureLimit: null,
          linkTemplates: [],
          autoStale: false,
          asksBeforeProduction: true,
          budget: { maxStale: null, minHealth: null },
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          lastUpdatedAt: expect.any(String),
          favorite: false,
          health: 100,
          featureCount: 0,
          staleFeatureCount: 0,
          potentiallyStaleFeatureCount: 0,
          memberCount: 0,
          owners: [{ ownerType: 'system' }],
          changeRequestEnvironments: [],
        },
      ],
    });
    const event = await app.db
      .selectFrom('events')
      .where('type', '=', 'project-created')
      .select(['project', 'created_by_user_id as by', 'data'])
      .executeTakeFirstOrThrow();
    expect(event).toMatchObject({
      project: 'default',
      by: -1337,
      data: { id: 'default', environments: ['development', 'production'] },
    });
  });
});

test('the list of projects has the time of the newest event of each', async () => {
  await create({ id: 'eventful', name: 'Eventful' });
  const listed = async () => {
    const all = (await app.ask(`GET ${projects}`)).json().projects;
    return all.find(({ id }: { id: string }) => id === 'eventful').lastUpdatedAt;
  };
  const before = await listed();
  await app.ask(`POST ${projects}/eventful/features`, { payload: { name: 'newest' } });
  const newest = await app.db
    .selectFrom('events')
    .where('project', '=', 'eventful')
    .orderBy('id', 'desc')
    .select('created_at')
    .executeTakeFirstOrThrow();
  expect(await listed()).toBe(newest.created_at.toISOString());
  expect((await listed()) >= before).toBe(true);
});

describe('creating a project', () => {
  test('requires only a name and applies defaults', async () => {
    const response = await create({ name: 'Only a Name' });
    expect(response.statusCode).toBe(201);
    const facts = {
      id: 'only-a-name',
      name: 'Only a Name',
      description: null,
      mode: 'open',
      defaultStickiness: 'default',
      featureLimit: null,
      linkTemplates: [],
      autoStale: false,
      asksBeforeProduction: true,
      budget: { maxStale: null, minHealth: null },
      createdAt: instant,
    };
    const environments = ['development', 'production'];
    const { description, ...told } = facts;
    expect(response.json()).toEqual({ ...told, updatedAt: instant, environments });
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'project-created',
        project: 'only-a-name',
        environment: null,
        data: { ...facts, environments },
        preData: null,
      },
    ]);
  });

  test('accepts every setting', async () => {
    const input = {
      id: "A-z0_.~!*'()",
      name: 'Everything 🚩',
      description: 'All of it',
      mode: 'private',
      defaultStickiness: 'userId',
      featureLimit: 0,
      featureNaming: { pattern: 'x-.+', example: 'x-1', description: 'one\ntwo' },
      linkTemplates: [
        { title: 'Issues', urlTemplate: 'https://issues.example.com/?q={{feature}}' },
        { title: null, urlTemplate: 'HTTP://wiki/{{project}}' },
      ],
      autoStale: true,
      budget: { maxStale: 0, minHealth: 100 },
      environments: ['production'],
    };
    const response = await create(input);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject(input);
    const stored = await overview(encodeURIComponent(input.id));
    const { environments, ...settings } = input;
    expect(stored).toMatchObject(settings);
    expect(stored.environments).toMatchObject([{ environment: 'production' }]);
  });

  test('accepts an empty list of environments, and the first can be added and the last removed later', async () => {
    const response = await create({ id: 'bare', name: 'Bare', environments: [] });
    expect([response.statusCode, response.json().environments]).toEqual([201, []]);
    expect((await overview('bare')).environments).toEqual([]);
    const feature = await app.ask(`POST ${projects}/bare/features`, {
      payload: { name: 'nowhere' },
    });
    expect([feature.statusCode, feature.json().environments]).toEqual([201, []]);
    const report = await app.ask(`GET ${projects}/bare/health-report`);
    expect([report.statusCode, report.json().environments]).toEqual([200, []]);
    const payload = { environment: 'production' };
    expect((await app.ask(`POST ${projects}/bare/environments`, { payload })).statusCode).toBe(200);
    expect((await app.ask(`DELETE ${projects}/bare/environments/production`)).statusCode).toBe(200);
    expect((await overview('bare')).environments).toEqual([]);
  });

  test('keeps an empty description, and stores null if none was given', async () => {
    expect((await create({ id: 'empty', name: 'Empty', description: '' })).json()).toMatchObject({
      description: '',
    });
    expect(await overview('empty')).toMatchObject({ description: '' });
    await create({ id: 'undescribed', name: 'Undescribed' });
    expect(await overview('undescribed')).toMatchObject({ description: null });
    // The Terraform provider reads the list after a change and crashes on null.
    const { projects: listed } = (await app.ask(`GET ${projects}`)).json();
    const described = listed.filter((project: object) => 'description' in project);
    expect(described.map(({ id }: { id: string }) => id)).toContain('empty');
    expect(described.map(({ id }: { id: string }) => id)).not.toContain('undescribed');
    // Specification, 2.4: not nullable there.
    const report = await app.ask(`GET ${projects}/undescribed/health-report`);
    expect(report.json()).toMatchObject({ description: '' });
  });

  test('accepts an empty list of environments with change requests', async () => {
    for (const none of [[], null]) {
      const id = `unguarded-${none === null}`;
      const response = await create({ id, name: id, changeRequestEnvironments: none });
      expect(response.statusCode).toBe(201);
    }
  });

  test.each(['javascript:alert(1)', 'issues.example.com', 'https://', 'https://a b', 7])(
    'rejects a link to %j',
    async (urlTemplate) => {
      const response = await create({ id: 'linked', name: 'L', linkTemplates: [{ urlTemplate }] });
      expect(response.statusCode).toBe(400);
      expect(response.json().details).toMatchObject([
        { path: '/body/linkTemplates/0/urlTemplate' },
      ]);
    },
  );

  test('treats null and empty values as unset', async () => {
    const response = await create({
      id: '',
      name: 'Unset',
      description: null,
      featureLimit: null,
      featureNaming: { pattern: null },
    });
    expect(response.json()).toMatchObject({ id: 'unset', featureLimit: null });
    expect(response.json()).not.toHaveProperty('description');
    expect(response.json()).not.toHaveProperty('featureNaming');
  });

  test('derives a unique id from the name, distinct from archived projects and reserved paths', async () => {
    await create({ name: 'Many' });
    await app.ask(`POST ${projects}/archive/many`);
    expect((await create({ name: 'many!' })).json().id).toBe('many-1');
    expect((await create({ name: 'Many' })).json().id).toBe('many-2');
    expect((await create({ name: 'Archive' })).json().id).toBe('archive-1');
  });

  test('gives ten concurrent requests without an id unique ids', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => create({ name: 'Racing' })),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(201));
    expect(new Set(responses.map((response) => response.json().id)).size).toBe(10);
  });

  test('succeeds once when ten requests use the same id', async () => {
    const before = await countEvents(app.db);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => create({ id: 'raced', name: 'Raced' })),
    );
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(await countEvents(app.db)).toBe(before + 1);
  });

  test('returns 409 for an id in use, also by an archived project', async () => {
    await create({ id: 'taken', name: 'Taken' });
    expect((await create({ id: 'taken', name: 'Other' })).json().name).toBe('NameExistsError');
    await app.ask(`POST ${projects}/archive/taken`);
    expect((await create({ id: 'taken', name: 'Other' })).statusCode).toBe(409);
  });

  test('returns 400 for unknown environments with their positions', async () => {
    const before = await countEvents(app.db);
    const environments = ['production', 'nosuch', 'neither'];
    const response = await create({ id: 'homeless', name: 'Homeless', environments });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toMatchObject([
      { path: '/body/environments/1' },
      { path: '/body/environments/2' },
    ]);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('reports all validation errors together', async () => {
    const response = await create({
      id: 'archive',
      name: ' ',
      description: 7,
      mode: 'closed',
      defaultStickiness: '',
      featureLimit: '3',
      environments: [7],
      featureNaming: { pattern: '(?=x)' },
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual([
      '/body/id',
      '/body/name',
      '/body/description',
      '/body/mode',
      '/body/defaultStickiness',
      '/body/featureLimit',
      '/body/environments/0',
      '/body/featureNaming/pattern',
    ]);
  });

  test.each(['validate', 'revive', '.', '..', '*', 'a b', 'a/b', 'a'.repeat(101), 7])(
    'returns 400 for the id %j',
    async (id) => {
      const response = await create({ id, name: 'Name' });
      expect(response.statusCode).toBe(400);
      expect(response.json().details).toMatchObject([{ path: '/body/id' }]);
    },
  );

  test('returns 400 for a body without a name or that is not an object, and 415 for another content type', async () => {
    expect((await create({})).json().details).toMatchObject([{ path: '/body/name' }]);
    expect((await create([])).statusCode).toBe(400);
    const headers = { 'content-type': 'text/plain' };
    const text = await app.ask(`POST ${projects}`, { payload: '{"name":"x"}', headers });
    expect(text.statusCode).toBe(415);
  });

  test('records no event if the transaction is rolled back', async () => {
    const before = await countEvents(app.db);
    const failing = app.transact(testActor, async (tx) => {
      await createProject(tx, { id: 'undone', name: 'Undone' });
      throw new Error('afterwards');
    });
    await expect(failing).rejects.toThrow('afterwards');
    expect(await countEvents(app.db)).toBe(before);
    expect((await app.ask(`GET ${projects}/undone/overview`)).statusCode).toBe(404);
  });
});

describe('validating the id of a project', () => {
  const validate = (id: string) => app.ask(`POST ${projects}/validate`, { payload: { id } });

  test('returns 200 for a free id, 409 for an id in use and 400 for an invalid one', async () => {
    const free = await validate('free');
    expect([free.statusCode, free.body]).toEqual([200, '']);
    expect((await validate('default')).statusCode).toBe(409);
    expect((await validate('archive')).statusCode).toBe(400);
    expect((await validate('')).statusCode).toBe(400);
  });
});

describe('access to projects', () => {
  test('lists only the projects that the caller can see', async () => {
    await create({ id: 'seen', name: 'Seen' });
    await create({ id: 'hidden', name: 'Hidden' });
    const some = limitedApp(app, { sees: new Set(['seen']) });
    expect(idsOf(await some.ask(`GET ${projects}`))).toEqual(['seen']);
    const none = limitedApp(app, { sees: new Set() });
    expect(idsOf(await none.ask(`GET ${projects}`))).toEqual([]);
  });

  test('returns 404 for an invisible project, exactly as for an unknown one', async () => {
    const limited = limitedApp(app, { sees: new Set(['seen']) });
    const requests = [
      `GET ${projects}/default/overview`,
      `PUT ${projects}/default`,
      `PUT ${projects}/default/settings`,
      `DELETE ${projects}/default`,
      `POST ${projects}/archive/default`,
      `POST ${projects}/revive/default`,
      `POST ${projects}/default/environments`,
      `DELETE ${projects}/default/environments/production`,
      `GET ${projects}/default/environments/production/default-strategy`,
      `POST ${projects}/default/environments/production/default-strategy`,
      'GET /api/admin/environments/project/default',
    ] as const;
    for (const request of requests) {
      const invisible = await limited.ask(request);
      expect(invisible.statusCode).toBe(404);
      const unknown = await app.ask(request.replace('default', 'nosuch') as typeof request);
      expect(unknown.statusCode).toBe(404);
      expect(unknown.json().message).toBe(invisible.json().message.replace('default', 'nosuch'));
    }
  });

  test('returns 403 with the name of the missing permission', async () => {
    const limited = limitedApp(app, { may: (permission) => permission === 'none' });
    const settings = 'UPDATE_PROJECT or PROJECT_SETTINGS_WRITE';
    const needed = {
      [`POST ${projects}`]: 'CREATE_PROJECT',
      [`POST ${projects}/validate`]: 'CREATE_PROJECT',
      [`PUT ${projects}/default`]: settings,
      [`PUT ${projects}/default/settings`]: settings,
      [`DELETE ${projects}/default`]: 'DELETE_PROJECT',
      [`POST ${projects}/archive/default`]: 'DELETE_PROJECT',
      [`POST ${projects}/revive/default`]: 'DELETE_PROJECT',
      [`POST ${projects}/default/environments`]: 'UPDATE_PROJECT',
      [`DELETE ${projects}/default/environments/production`]: 'UPDATE_PROJECT',
      [`POST ${projects}/default/environments/production/default-strategy`]:
        'UPDATE_PROJECT or PROJECT_DEFAULT_STRATEGY_WRITE',
    };
    for (const [request, permission] of Object.entries(needed)) {
      const response = await limited.ask(request as `POST ${string}`);
      expect(response.statusCode).toBe(403);
      expect(response.json().name).toBe('NoAccessError');
      expect(response.json().message).toContain(`the ${permission} permission`);
    }
  });
});

test('creating or reviving a project beyond the limit of 5,000 active ones is rejected', async () => {
  const active = idsOf(await app.ask(`GET ${projects}`)).length;
  const now = new Date();
  const many = Array.from({ length: 5_000 - active }, (_, index) => ({
    ...{ id: `project-${index + 1}`, name: `Project ${index + 1}` },
    ...{ mode: 'open' as const, default_stickiness: 'default', created_at: now, updated_at: now },
  }));
  await app.db.insertInto('projects').values(many).execute();
  const payload = { name: 'One more' };
  const refused = await app.ask(`POST ${projects}`, { payload });
  expect([refused.statusCode, refused.json().name]).toEqual([403, 'InvalidOperationError']);
  await app.ask(`POST ${projects}/archive/project-1`);
  expect((await app.ask(`POST ${projects}`, { payload })).statusCode).toBe(201);
  // A revived project counts again.
  const revived = await app.ask(`POST ${projects}/revive/project-1`);
  expect([revived.statusCode, revived.json().name]).toEqual([403, 'InvalidOperationError']);
});
