import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from './support/app.ts';
import { make } from './support/make.ts';
import { type Person, person } from './support/people.ts';
import {
  absent,
  addressOf,
  done,
  endpoints,
  type Hidden,
  hidden,
  makeHidden,
  makeInsiders,
  makeShared,
  mark,
  type Shared,
  thingsOf,
} from './support/private-project.ts';
import { countEvents, recordedBy } from './support/recorded.ts';

let app: TestApp;
let shared: Shared;
let there: Hidden;
/** Can edit open projects and shared resources, but cannot see the private project. */
let editor: Person;

const none = {
  segment: 2_147_483_647,
  strategy: '00000000-0000-4000-8000-000000000000',
  token: 2_147_483_647,
  link: '00000000-0000-4000-8000-000000000001',
  request: 2_147_483_647,
};

beforeAll(async () => {
  app = await testApp();
  shared = await makeShared(app.ask);
  editor = await person(app, { rootRole: 2 });
  there = await makeHidden(app, shared, await makeInsiders(app));
});

const open = '/api/admin/projects/open';
const place = `${open}/features/seen/environments/development`;

type Request = Parameters<TestApp['ask']>[0];

/** Replaces hidden names and ids by those of resources that do not exist. */
const disguised = (text: string): string =>
  text
    .replaceAll(mark, absent)
    .replaceAll(there.strategy, none.strategy)
    .replaceAll(there.link, none.link)
    .replaceAll(`request '${there.request}'`, `request '${none.request}'`)
    .replaceAll(
      new RegExp(`([Ss]egment |segments/|segments":\\[|')${there.segment}\\b`, 'g'),
      `$1${none.segment}`,
    )
    .replaceAll(/"id":"[^"]*",/g, '');

async function answered(request: Request, payload?: InjectOptions['payload']): Promise<string> {
  const response = await editor.ask(request, { ...(payload !== undefined && { payload }) });
  return `${response.statusCode} ${response.body.replaceAll(/"id":"[^"]*",/g, '')}`;
}

/** Expects the same error as for a resource that does not exist, and no event. */
async function expectUnknown(status: number, request: Request, payload?: object): Promise<void> {
  const before = await countEvents(app.db);
  const real = await answered(request, payload);
  const unreal = await answered(
    disguised(request) as Request,
    payload && JSON.parse(disguised(JSON.stringify(payload))),
  );
  expect([request, disguised(real)]).toEqual([request, unreal]);
  expect([request, real.slice(0, 3)]).toEqual([request, String(status)]);
  expect(await countEvents(app.db)).toBe(before);
}

describe('a user without a role in a private project', () => {
  const writing = endpoints
    .filter(({ method, path }) => method !== 'GET' && path.includes(':'))
    .filter((endpoint) => {
      const things = { ...thingsOf(mark, none), userId: '1', groupId: '1', roleId: '5' };
      return addressOf(endpoint, things) !== undefined;
    })
    .map((endpoint) => [endpoint.id, endpoint] as const);

  test.each(writing)(
    'gets the same response from %s as for a project that does not exist',
    async (_id, endpoint) => {
      const rest = { userId: String(there.member.id), groupId: String(there.team), roleId: '5' };
      const url = (word: string, ids: typeof none) =>
        addressOf(endpoint, { ...thingsOf(word, ids), ...rest }) as string;
      const before = await countEvents(app.db);
      const request = (path: string) => `${endpoint.method} ${path}` as Request;
      const real = await answered(request(url(mark, there)), endpoint.body && {});
      const unreal = await answered(request(url(absent, none)), endpoint.body && {});
      expect(disguised(real).replaceAll(`'${there.token}'`, `'${none.token}'`)).toBe(unreal);
      // Deleting an unknown application succeeds.
      expect(real).toMatch(endpoint.id === 'deleteApplication' ? /^200 $/ : /^4/);
      if (endpoint.scope || endpoint.scopeOf) expect(real).toMatch(/^404/);
      expect(await countEvents(app.db)).toBe(before);
    },
  );

  test('cannot copy from it, move into it or depend on it', async () => {
    const mover = await person(app, { roles: { open: 4 } });
    const move = (project: string) =>
      mover.ask(`POST ${open}/features/seen/changeProject`, { payload: { newProjectId: project } });
    expect([(await move(hidden)).statusCode, (await move(`${absent}-project`)).statusCode]).toEqual(
      [404, 404],
    );
    await expectUnknown(404, `POST ${open}/features/${mark}-child/clone`, { name: 'copy' });
    await expectUnknown(400, `POST ${open}/features/clone`, {
      features: [{ feature: `${mark}-child`, name: 'copy' }],
    });
    await expectUnknown(400, `POST ${open}/features/seen/dependencies`, {
      feature: `${mark}-parent`,
    });
  });

  test('cannot use, change or delete its segments, or create one in it', async () => {
    const segments = [there.segment];
    await expectUnknown(400, `POST ${place}/strategies`, { name: 'flexibleRollout', segments });
    await expectUnknown(400, `PUT ${place}/strategies/${shared.strategy}`, {
      name: 'flexibleRollout',
      segments,
    });
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
    await expectUnknown(404, `PUT /api/admin/segments/${there.segment}`, {
      name: 'renamed',
      constraints,
    });
    await expectUnknown(404, `DELETE /api/admin/segments/${there.segment}`);
    await expectUnknown(400, 'POST /api/admin/segments', {
      name: 'one-more',
      project: hidden,
      constraints,
    });
    await expectUnknown(400, `PUT /api/admin/segments/${shared.segment}`, {
      name: 'everybody',
      project: hidden,
      constraints,
    });
  });

  test('cannot change or export its features by name through bulk operations', async () => {
    const features = [`${mark}-child`];
    await expectUnknown(400, `PUT ${open}/tags`, {
      features,
      tags: { addedTags: [{ type: 'simple', value: 'word' }], removedTags: [] },
    });
    for (const list of ['archive', 'archive/validate', 'delete', 'revive']) {
      const payload = { features: list === 'archive' ? features : [`${mark}-archived`] };
      const [real, unreal] = [
        await answered(`POST ${open}/${list}`, payload),
        await answered(`POST ${open}/${list}`, JSON.parse(disguised(JSON.stringify(payload)))),
      ];
      expect([list, disguised(real)]).toEqual([list, unreal]);
    }
    await expectUnknown(400, `POST ${open}/stale`, { features, stale: true });
    await expectUnknown(400, `POST ${open}/bulk_features/environments/development/on`, {
      features,
    });
    await expectUnknown(400, 'POST /api/admin/features-batch/export', {
      environment: 'development',
      features,
    });
    await expectUnknown(400, 'POST /api/admin/features-batch/export', {
      environment: 'development',
      project: hidden,
    });
  });

  test('cannot import into it, or learn from an import where a name is used', async () => {
    const input = (project: string, feature: string) => ({
      project,
      environment: 'development',
      data: { features: [{ name: feature }], featureStrategies: [] },
    });
    await expectUnknown(404, 'POST /api/admin/features-batch/import', input(hidden, 'fresh'));
    await expectUnknown(404, 'POST /api/admin/features-batch/validate', input(hidden, 'fresh'));
    for (const path of ['import', 'validate']) {
      const response = await editor.ask(`POST /api/admin/features-batch/${path}`, {
        payload: input('open', `${mark}-child`),
      });
      expect(response.body).toContain('Names already used in other projects');
      expect(response.body).not.toContain(hidden);
    }
  });

  test('learns that a name is in use, but not where', async () => {
    for (const name of [`${mark}-child`, `${mark}-archived`]) {
      const created = await editor.ask(`POST ${open}/features`, { payload: { name } });
      const validated = await editor.ask('POST /api/admin/features/validate', {
        payload: { name, projectId: 'open' },
      });
      for (const response of [created, validated]) {
        expect([response.statusCode, response.json().message]).toEqual([
          409,
          `A feature named '${name}' already exists`,
        ]);
      }
    }
    await expectUnknown(400, 'POST /api/admin/features/validate', {
      name: 'free',
      projectId: hidden,
    });
  });

  test('learns that a shared resource is in use, without names or numbers', async () => {
    await done(
      app.ask('POST /api/admin/strategies', { payload: { name: 'theirs', parameters: [] } }),
    );
    await done(app.ask('POST /api/admin/tag-types', { payload: { name: 'theirs' } }));
    const { id } = await make(app.ask).segment('theirs');
    const { ask } = there.member;
    await make(ask).feature(`${mark}-user`, {
      project: hidden,
      tags: [{ type: 'theirs', value: 'word' }],
    });
    const where = { project: hidden };
    await make(ask).strategy(`${mark}-user`, { name: 'theirs', segments: [id] }, where);
    for (const request of [
      'DELETE /api/admin/strategies/theirs',
      'DELETE /api/admin/tag-types/theirs',
      `DELETE /api/admin/segments/${id}`,
    ] as const) {
      const response = await editor.ask(request);
      expect([request, response.statusCode < 500, response.statusCode >= 400]).toEqual([
        request,
        true,
        true,
      ]);
      expect(response.json().message).toContain('that you cannot see');
      expect(response.json().message).not.toMatch(/hidden|\d in|\d more/);
    }
  });
});

describe('a feature copied or moved out of a private project', () => {
  const readLog = async () => (await editor.ask('GET /api/admin/search/events?limit=1000')).body;

  test('records an event that reveals only the name of the original', async () => {
    const member = await person(app, { roles: { [hidden]: 5, open: 5 } });
    const payload = { name: 'brought-out' };
    const copied = await done(member.ask(`POST ${open}/features/${mark}-child/clone`, { payload }));
    // Users who copy can see both projects: the response lists what was not copied.
    expect(copied.json().notCopied).toEqual([
      { what: `segment '${mark}-segment'`, why: expect.stringContaining(`'${hidden}'`) },
      { what: `dependency on '${mark}-parent'`, why: expect.stringContaining(`'${hidden}'`) },
    ]);
    const [created] = await recordedBy(app.db, copied);
    const why = "Belongs to the original's project";
    expect(created).toMatchObject({ type: 'feature-created', project: 'open' });
    expect(created?.data).toEqual(
      expect.objectContaining({
        clonedFrom: { feature: `${mark}-child` },
        notCopied: [
          { what: 'a segment', why },
          { what: 'a dependency', why },
        ],
      }),
    );
    expect(await readLog()).not.toContain(hidden);
  });

  test('records the original project if it is the same or an open one', async () => {
    const payload = { name: `${mark}-copy` };
    const within = await done(
      there.member.ask(`POST /api/admin/projects/${hidden}/features/${mark}-child/clone`, {
        payload,
      }),
    );
    const from = async (response: typeof within) => (await recordedBy(app.db, response))[0]?.data;
    expect(await from(within)).toMatchObject({ clonedFrom: { project: hidden } });
    const across = await done(
      app.ask('POST /api/admin/projects/default/features/seen/clone', {
        payload: { name: 'seen-2' },
      }),
    );
    expect(await from(across)).toMatchObject({ clonedFrom: { project: 'open', feature: 'seen' } });
  });

  test('records a move without the name of the private project', async () => {
    await make(app.ask).feature('emigrant', { project: hidden });
    const moved = await done(
      app.ask(`POST /api/admin/projects/${hidden}/features/emigrant/changeProject`, {
        payload: { newProjectId: 'open' },
      }),
    );
    const [event] = await recordedBy(app.db, moved);
    expect(event).toMatchObject({ type: 'feature-project-change', project: 'open' });
    expect(event?.data).toEqual({ newProject: 'open' });
    const log = await readLog();
    expect(log).toContain('emigrant');
    expect(log).not.toContain(hidden);
  });
});
