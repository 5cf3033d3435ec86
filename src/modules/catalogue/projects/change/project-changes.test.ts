import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import { tickingClock } from '../../../../../test/support/ticking-clock.ts';
import { archiveProject } from '../archive/service.ts';
import { addEnvironment, setDefaultStrategy } from '../environments/service.ts';
import { changeProject } from './service.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: tickingClock() });
});

const projects = '/api/admin/projects';

const create = (id: string, more: object = {}) =>
  app.ask(`POST ${projects}`, { payload: { id, name: id, ...more } });
const overview = async (id: string) => (await app.ask(`GET ${projects}/${id}/overview`)).json();
const update = (id: string, payload: object) => app.ask(`PUT ${projects}/${id}`, { payload });
const settle = (id: string, payload: object) =>
  app.ask(`PUT ${projects}/${id}/settings`, { payload });
const list = async (query = '') => {
  const answer = (await app.ask(`GET ${projects}${query}`)).json();
  return answer.projects.map(({ id }: { id: string }) => id);
};

describe('the overview of a project', () => {
  test('has exactly the expected fields if only a name was given', async () => {
    await create('sparse');
    const strategy = {
      name: 'flexibleRollout',
      disabled: false,
      sortOrder: 0,
      constraints: [],
      variants: [],
      parameters: { rollout: '100', stickiness: 'default', groupId: '' },
      segments: [],
    };
    const changeRequestsEnabled = false;
    expect(await overview('sparse')).toEqual({
      version: 1,
      id: 'sparse',
      name: 'sparse',
      description: null,
      mode: 'open',
      defaultStickiness: 'default',
      featureLimit: null,
      linkTemplates: [],
      autoStale: false,
      asksBeforeProduction: true,
      budget: { maxStale: null, minHealth: null },
      health: 100,
      technicalDebt: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      environments: [
        { environment: 'development', changeRequestsEnabled, defaultStrategy: strategy },
        { environment: 'production', changeRequestsEnabled, defaultStrategy: strategy },
      ],
      favorite: false,
      featureTypeCounts: [],
      featureNaming: { pattern: null, example: null, description: null },
      members: 0,
      onboardingStatus: { status: 'onboarding-started' },
      owners: [{ ownerType: 'system' }],
      stats: {
        avgTimeToProdCurrentWindow: 0,
        createdCurrentWindow: 0,
        createdPastWindow: 0,
        archivedCurrentWindow: 0,
        archivedPastWindow: 0,
        projectActivityCurrentWindow: 1,
        projectActivityPastWindow: 0,
        projectMembersAddedCurrentWindow: 0,
      },
    });
  });
});

describe('changing a project', () => {
  test('changes the given properties, keeps the rest and records both states', async () => {
    await create('changed', { description: 'Before', featureLimit: 5 });
    const {
      version,
      environments,
      favorite,
      health,
      technicalDebt,
      featureTypeCounts,
      members,
      owners,
      stats,
      onboardingStatus,
      featureNaming,
      updatedAt,
      ...before
    } = await overview('changed');
    const response = await update('changed', {
      name: 'Changed',
      defaultStickiness: 'sessionId',
      id: 'ignored',
      archivedAt: 'ignored',
    });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const after = { ...before, name: 'Changed', defaultStickiness: 'sessionId' };
    const answer = await overview('changed');
    expect(answer).toMatchObject(after);
    expect(answer.updatedAt > updatedAt).toBe(true);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'project-updated',
        project: 'changed',
        environment: null,
        data: after,
        preData: before,
      },
    ]);
  });

  test('clears the description and the limit with null', async () => {
    await create('cleared', { description: 'Before', featureLimit: 5 });
    await update('cleared', { name: 'cleared', description: null, featureLimit: null });
    expect(await overview('cleared')).toMatchObject({ description: null, featureLimit: null });
  });

  test('records nothing if nothing changes', async () => {
    await create('same', { featureNaming: { pattern: 'a' } });
    const before = await overview('same');
    const responses = [
      await update('same', { name: 'same' }),
      await update('same', { name: 'same', description: null, mode: 'open', featureLimit: null }),
      await settle('same', {}),
      await settle('same', { featureNaming: { pattern: 'a', example: '' } }),
    ];
    for (const response of responses) {
      expect(response.statusCode).toBe(200);
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
    expect(await overview('same')).toEqual(before);
  });

  test('applies concurrent changes', async () => {
    await create('twice');
    await Promise.all([
      update('twice', { name: 'Twice' }),
      settle('twice', { featureLimit: 7 }),
      settle('twice', { mode: 'protected' }),
    ]);
    expect(await overview('twice')).toMatchObject({
      name: 'Twice',
      featureLimit: 7,
      mode: 'protected',
    });
  });

  test('requires a name and reports all validation errors', async () => {
    const response = await update('default', { mode: 'shut', featureLimit: -1 });
    expect(response.statusCode).toBe(400);
    const paths = response.json().details.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(['/body/featureLimit', '/body/mode', '/body/name']);
  });
});

describe('the settings of a project', () => {
  test('include mode, feature limit, naming rule and budget, and changes are recorded', async () => {
    await create('settled');
    const featureNaming = { pattern: 'web-[a-z]+', example: 'web-shop', description: 'a\nb' };
    const budget = { maxStale: 3, minHealth: 80 };
    const input = { mode: 'protected', featureLimit: 12, featureNaming, autoStale: true, budget };
    Object.assign(input, { asksBeforeProduction: false });
    const response = await settle('settled', input);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await overview('settled')).toMatchObject(input);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'project-updated', data: input, preData: { mode: 'open', featureLimit: null } },
    ]);
  });

  test('replace a naming rule as a whole, and remove it with an empty pattern', async () => {
    await create('named', { featureNaming: { pattern: 'a', example: 'a', description: 'b' } });
    await settle('named', { featureNaming: { pattern: 'c' } });
    expect((await overview('named')).featureNaming).toEqual({
      pattern: 'c',
      example: null,
      description: null,
    });
    await settle('named', { featureNaming: { pattern: '' } });
    expect((await overview('named')).featureNaming).toEqual({
      pattern: null,
      example: null,
      description: null,
    });
  });

  test.each([
    [{ pattern: '(?=a)' }, 'pattern', 'look-ahead'],
    [{ pattern: '[' }, 'pattern', 'does not compile'],
    [{ pattern: 'a+', example: 'b' }, 'example', 'does not match'],
    [{ pattern: '', example: 'b' }, 'example', 'requires a pattern'],
    [{ example: 'b' }, 'pattern', 'missing'],
    [{ pattern: 7 }, 'pattern', 'must be string,null'],
  ])('return 400 for the naming rule %j', async (featureNaming, field, reason) => {
    const response = await settle('default', { featureNaming });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      {
        path: `/body/featureNaming/${field}`,
        message: expect.stringContaining(reason),
      },
    ]);
  });
});

describe('archiving and reviving a project', () => {
  test('moves it from one list to the other and back', async () => {
    await create('sleeper');
    const archived = await app.ask(`POST ${projects}/archive/sleeper`);
    expect([archived.statusCode, archived.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, archived)).toEqual([
      {
        type: 'project-archived',
        project: 'sleeper',
        environment: null,
        data: null,
        preData: null,
      },
    ]);
    expect(await list()).not.toContain('sleeper');
    expect(await list('?archived=false')).not.toContain('sleeper');
    expect(await list('?archived=true')).toEqual(['sleeper']);
    const { archivedAt, updatedAt } = await overview('sleeper');
    expect(archivedAt).toBe(updatedAt);

    const revived = await app.ask(`POST ${projects}/revive/sleeper`);
    expect([revived.statusCode, revived.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, revived)).toMatchObject([
      { type: 'project-revived', data: null },
    ]);
    expect(await list()).toContain('sleeper');
    expect(await overview('sleeper')).not.toHaveProperty('archivedAt');
  });

  test('returns 404 for any change of an archived project, and for archiving it again', async () => {
    await create('frozen');
    await app.ask(`POST ${projects}/archive/frozen`);
    const before = await overview('frozen');
    const place = `${projects}/frozen/environments`;
    const strategy = { name: 'flexibleRollout' };
    const refused = [
      await update('frozen', { name: 'Thawed' }),
      await settle('frozen', { mode: 'private' }),
      await app.ask(`POST ${projects}/archive/frozen`),
      await app.ask(`POST ${place}`, { payload: { environment: 'production' } }),
      await app.ask(`POST ${place}/production/default-strategy`, { payload: strategy }),
    ];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(404));
    expect(await overview('frozen')).toEqual(before);
  });

  test('returns 404 for an archived project before the body is validated', async () => {
    await create('unread');
    await app.ask(`POST ${projects}/archive/unread`);
    const text = { payload: 'text', headers: { 'content-type': 'text/plain' } };
    for (const path of ['', '/settings', '/environments'] as const) {
      const method = path === '/environments' ? 'POST' : 'PUT';
      const known = `${method} ${projects}/default${path}` as const;
      expect((await app.ask(known, text)).statusCode, known).toBe(415);
      const archived = `${method} ${projects}/unread${path}` as const;
      expect((await app.ask(archived, text)).statusCode, archived).toBe(404);
      expect((await app.ask(archived, { payload: { name: 7, mode: 7 } })).statusCode).toBe(404);
    }
  });

  test('rejects changes of a project that was archived after the access check', async () => {
    await create('overtaken', { environments: ['production'] });
    await app.ask(`POST ${projects}/archive/overtaken`);
    const place = { project: 'overtaken', environment: 'production' };
    const late: Parameters<typeof app.transact>[1][] = [
      (tx) => changeProject(tx, 'overtaken', { name: 'Late' }),
      (tx) => archiveProject(tx, 'overtaken'),
      (tx) => addEnvironment(tx, 'overtaken', { environment: 'development' }),
      (tx) => setDefaultStrategy(tx, place, { name: 'flexibleRollout' }),
    ];
    for (const work of late) {
      await expect(app.transact(testActor, work)).rejects.toMatchObject({ status: 404 });
    }
  });

  test('lets an environment that only an archived project has be removed from it and deleted', async () => {
    const environment = '/api/admin/environments/left-behind';
    const payload = { name: 'left-behind', type: 'test' };
    await app.ask('POST /api/admin/environments', { payload });
    await create('left', { environments: ['production', 'left-behind'] });
    await app.ask(`POST ${projects}/archive/left`);
    expect((await app.ask(`DELETE ${environment}`)).statusCode).toBe(403);
    const removed = await app.ask(`DELETE ${projects}/left/environments/left-behind`);
    expect(removed.statusCode).toBe(200);
    expect(await recordedBy(app.db, removed)).toMatchObject([
      { type: 'project-environment-removed', project: 'left', environment: 'left-behind' },
    ]);
    expect((await app.ask(`DELETE ${environment}`)).statusCode).toBe(200);
  });

  test('returns 404 when reviving a project that is not archived', async () => {
    const response = await app.ask(`POST ${projects}/revive/default`);
    expect(response.statusCode).toBe(404);
    expect(response.json().message).toBe("Archived project 'default' not found");
  });

  test('returns 400 for a filter that is neither true nor false', async () => {
    expect((await app.ask(`GET ${projects}?archived=yes`)).statusCode).toBe(400);
    expect((await app.ask(`GET ${projects}?archived=true&archived=true`)).statusCode).toBe(400);
  });
});

test('the default project can be neither archived nor deleted', async () => {
  for (const request of [
    `POST ${projects}/archive/default`,
    `DELETE ${projects}/default`,
  ] as const) {
    const response = await app.ask(request);
    expect(response.statusCode).toBe(403);
    expect(response.json().name).toBe('InvalidOperationError');
  }
});
