import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../support/app.ts';
import { happen } from '../support/happen.ts';
import { make } from '../support/make.ts';
import { person } from '../support/people.ts';
import { randomCases } from '../support/random-cases.ts';
import { clientToken, frontendToken } from '../support/tokens.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 2, 1, 12);
const clock = () => new Date(time);
let time = start;
let app: TestApp;
let create: ReturnType<typeof make>;
let made = 0;
let project: string;
beforeAll(async () => {
  app = await testApp({ clock });
  create = make(app.ask);
});
beforeEach(async () => {
  time = start;
  made += 1;
  project = `project-${made}`;
  await create.project(project);
});

const projects = '/api/admin/projects';
const pathOf = (id: string) => `${projects}/${id}/health-report`;
const named = (name: string) => `${project}-${name}`;
const feature = (name: string, more: object = {}) =>
  create.feature(named(name), { project, ...more });

const read = (ask: TestApp['ask'] = app.ask, known?: string) =>
  ask(`GET ${pathOf(project)}`, known === undefined ? {} : { headers: { 'if-none-match': known } });
const tagOf = async (ask: TestApp['ask'] = app.ask): Promise<string> => {
  const { headers, statusCode, body } = await read(ask);
  expect(statusCode, body).toBe(200);
  return String(headers.etag);
};

describe('4.2 responses', () => {
  test('returns 200 with the report and ignores unknown parameters and the Accept header', async () => {
    const plain = await read();
    expect([plain.statusCode, plain.headers['content-type']]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    const other = await app.ask(`GET ${pathOf(project)}?unknown=1`, {
      headers: { accept: 'text/plain' },
    });
    expect(other.json()).toEqual(plain.json());
  });

  test('returns 401, 403 and 404 with an error body', async () => {
    const answered = async (id: string, authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization };
      const response = await app.ask(`GET ${pathOf(id)}`, { headers });
      expect(response.json()).toMatchObject({
        id: expect.any(String),
        message: expect.any(String),
      });
      return [response.statusCode, response.json().name];
    };
    expect(await answered(project, '')).toEqual([401, 'AuthenticationRequired']);
    expect(await answered(project, 'nonsense')).toEqual([401, 'AuthenticationRequired']);
    expect(await answered(project, clientToken)).toEqual([403, 'NoAccessError']);
    expect(await answered(project, frontendToken)).toEqual([403, 'NoAccessError']);
    expect(await answered('nosuch')).toEqual([404, 'NotFoundError']);
    expect(await answered(project.toUpperCase())).toEqual([404, 'NotFoundError']);
  });

  test('returns the report to a user with the Viewer role', async () => {
    const viewer = await person(app);
    expect((await read(viewer.ask)).json()).toEqual((await read()).json());
  });

  test('returns 404 while the project is archived and 200 once it is revived, despite caching', async () => {
    const before = await read();
    expect(before.statusCode).toBe(200);
    await app.ask(`POST ${projects}/archive/${project}`);
    const archived = await read(app.ask, String(before.headers.etag));
    expect([archived.statusCode, archived.json().message]).toEqual([
      404,
      `Project '${project}' not found`,
    ]);
    await app.ask(`POST ${projects}/revive/${project}`);
    expect((await read()).statusCode).toBe(200);
  });

  test('returns 404 to users without a role in a private project, despite caching', async () => {
    const [viewer, member] = [await person(app), await person(app, { roles: { [project]: 5 } })];
    const { headers } = await read(viewer.ask);
    await app.ask(`PUT ${projects}/${project}/settings`, { payload: { mode: 'private' } });
    const known = { 'if-none-match': String(headers.etag) };
    const hidden = await viewer.ask(`GET ${pathOf(project)}`, { headers: known });
    const unknown = await viewer.ask(`GET ${pathOf('nosuch')}`, { headers: known });
    expect(hidden.statusCode).toBe(404);
    expect(hidden.json().message.replace(project, 'nosuch')).toBe(unknown.json().message);
    expect((await read(member.ask)).json()).toMatchObject({ mode: 'private' });
  });
});

describe('4.2 deprecation', () => {
  test('every response has a Deprecation header and a link to the successor', async () => {
    const whole = await read();
    const same = await read(app.ask, String(whole.headers.etag));
    expect([whole.statusCode, same.statusCode]).toEqual([200, 304]);
    for (const { headers } of [whole, same]) {
      // RFC 9745: a date as a structured field.
      expect(headers.deprecation).toMatch(/^@\d+$/);
      expect(Number(String(headers.deprecation).slice(1)) * 1000).toBeLessThan(start);
      expect(headers.link).toBe(`</api/admin/projects/${project}/status>; rel="successor-version"`);
    }
  });

  test('the OpenAPI document marks the operation and two fields as deprecated', async () => {
    const { paths, components } = (await app.ask('GET /docs/openapi.json')).json();
    const schemaOf = (schema: { $ref?: string }) => {
      const name = schema.$ref?.replace('#/components/schemas/', '');
      return (name ? components.schemas[name] : schema).properties;
    };
    const { get } = paths['/api/admin/projects/{projectId}/health-report'];
    expect(get).toMatchObject({ operationId: 'getProjectHealthReport', deprecated: true });
    expect(Object.keys(get.responses)).toEqual(
      expect.arrayContaining(['200', '401', '403', '404']),
    );
    const report = schemaOf(get.responses['200'].content['application/json'].schema);
    const properties = schemaOf(report.features.items);
    expect([properties.lastSeenAt.deprecated, properties.variants.deprecated]).toEqual([
      true,
      true,
    ]);
    expect(schemaOf(properties.environments.items).lastSeenAt.deprecated).toBeUndefined();
    expect(properties.children.description).toContain('experimental');
  });
});

describe('the ETag of the health report', () => {
  test('returns 304 without a body for an unchanged report, in every form of If-None-Match', async () => {
    await feature('one');
    const tag = await tagOf();
    expect(tag).toMatch(/^"[\w-]{20,}"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const same = await read(app.ask, known);
      expect([known, same.statusCode, same.body]).toEqual([known, 304, '']);
      expect(same.headers.etag).toBe(tag);
    }
    expect((await read(app.ask, '"other"')).statusCode).toBe(200);
    const head = await app.app.inject({
      method: 'HEAD',
      url: pathOf(project),
      headers: { authorization: '*:*.test-admin' },
    });
    expect([head.statusCode, head.headers.etag, head.body]).toEqual([200, tag, '']);
  });

  test('changes with everything in the report', async () => {
    await feature('one');
    await feature('two');
    const path = `${projects}/${project}`;
    const one = `${path}/features/${named('one')}`;
    const { id } = await person(app);
    const changes: (() => Promise<unknown>)[] = [
      () => feature('three'),
      () => app.ask(`PUT ${one}`, { payload: { description: 'New' } }),
      () => app.ask(`POST ${one}/environments/production/on`),
      () => create.strategy(named('one'), {}, { project }),
      () =>
        app.ask(`POST /api/admin/features/${named('one')}/tags`, {
          payload: { type: 'simple', value: 'new' },
        }),
      () => create.dependency(named('one'), named('two'), { project }),
      () => app.ask(`DELETE ${path}/features/${named('three')}`),
      () => app.ask(`POST ${path}/access`, { payload: { roles: [5], users: [id], groups: [] } }),
      () => app.ask(`DELETE /api/admin/user-admin/${id}`),
      () =>
        app.ask('PUT /api/admin/environments/update/development', {
          payload: { type: `${project}` },
        }),
      () => app.ask(`POST ${path}/favorites`),
      () => app.ask(`POST ${one}/favorites`),
      () => app.ask(`PUT ${path}/settings`, { payload: { featureLimit: 100 } }),
      // Usage that SDKs report is no event.
      () =>
        app.db
          .updateTable('feature_environments')
          .set({ last_seen_at: new Date(start) })
          .where('feature_name', '=', named('one'))
          .execute(),
    ];
    const tags = new Set([await tagOf()]);
    for (const [place, change] of changes.entries()) {
      await change();
      const tag = await tagOf();
      expect([place, tags.has(tag)]).toEqual([place, false]);
      tags.add(tag);
    }
    expect(await tagOf()).toBe([...tags].at(-1));
  });

  test('stays the same when only other projects, an unused lifetime or nothing changes', async () => {
    await feature('one');
    await create.project(named('other'));
    const tag = await tagOf();
    const still = async () => expect(await tagOf()).toBe(tag);
    await create.feature(named('elsewhere'), { project: named('other') });
    await still();
    await app.ask('PUT /api/admin/feature-types/experiment/lifetime', {
      payload: { lifetimeDays: 41 + made },
    });
    await still();
    expect(
      (await app.ask(`POST ${projects}/${project}/features`, { payload: {} })).statusCode,
    ).toBe(400);
    await still();
    // Many events in another project.
    const busy = Array.from({ length: 60 }, () => ({ project: named('other') }));
    await happen(app.db, ...busy);
    await still();
    time += 11 * 3_600_000;
    await still();
  });

  test('changes at the exact millisecond when a time window ends', async () => {
    await feature('one', {
      type: 'operational',
      createdAt: new Date(start - 5 * day).toISOString(),
    });
    const points = [
      [2 * day, 'its lifetime has passed'],
      [25 * day, 'it is no longer of the current window'],
      [30 * day, 'nor are the events'],
      [55 * day, 'it is no longer of the past window'],
      [60 * day, 'nor are the events'],
    ] as const;
    let tag = await tagOf();
    for (const [ms, why] of points) {
      time = start + ms - 1;
      expect([why, await tagOf()]).toEqual([why, tag]);
      time = start + ms;
      const next = await tagOf();
      expect([why, next === tag]).toEqual([why, false]);
      tag = next;
    }
    time = start + 400 * day;
    expect(await tagOf()).toBe(tag);
    // A clock that goes back briefly must return what was true at that time.
    time = start + 2 * day - 1;
    expect((await read()).json()).toMatchObject({ potentiallyStaleCount: 0 });
  });

  test('includes changes made by another instance at once', async () => {
    const other = await appOn(app, { clock });
    const before = await tagOf(other.ask);
    expect(await tagOf()).toBe(before);
    for (const name of ['a', 'b', 'c']) {
      await create.feature(named(name), { project });
      const { features } = (await read(other.ask)).json();
      expect(features.map((each: { name: string }) => each.name)).toContain(named(name));
    }
    expect(await tagOf(other.ask)).toBe(await tagOf());
  });

  test("includes the caller's own change at once, despite concurrent reads", async () => {
    const asking = { going: true };
    const others = Array.from({ length: 4 }, async () => {
      while (asking.going) expect((await read()).statusCode).toBe(200);
    });
    for (let count = 1; count <= randomCases(5, 15).numRuns; count += 1) {
      await feature(`n${count}`);
      expect((await read()).json()).toMatchObject({ activeCount: count });
    }
    asking.going = false;
    await Promise.all(others);
  });
});

describe('favorite in the health report', () => {
  test('is set per user for the project and for each feature, also with concurrent reads', async () => {
    const [first, second, third] = [await person(app), await person(app), await person(app)];
    for (const name of ['a', 'b', 'c']) await feature(name);
    await first.ask(`POST ${projects}/${project}/favorites`);
    await first.ask(`POST ${projects}/${project}/features/${named('b')}/favorites`);
    await second.ask(`POST ${projects}/${project}/features/${named('a')}/favorites`);
    await second.ask(`POST ${projects}/${project}/features/${named('c')}/favorites`);
    const favorites = async ({ ask }: { ask: TestApp['ask'] }) => {
      const { favorite, features } = (await read(ask)).json();
      const marked = features.filter((each: { favorite: boolean }) => each.favorite);
      return [favorite, ...marked.map((each: { name: string }) => each.name)];
    };
    for (let times = 0; times < 2; times += 1) {
      const seen = await Promise.all([first, second, third, app].map(favorites));
      expect(seen).toEqual([[true, named('b')], [false, named('a'), named('c')], [false], [false]]);
    }
    // Favorites are private, so users with other favorites have other ETags.
    const tags = [await tagOf(first.ask), await tagOf(second.ask), await tagOf(third.ask)];
    expect(new Set(tags).size).toBe(3);
    expect(await tagOf()).toBe(tags[2]);
    expect((await read(second.ask, tags[0])).statusCode).toBe(200);

    await second.ask(`DELETE ${projects}/${project}/features/${named('a')}/favorites`);
    expect(await favorites(second)).toEqual([false, named('c')]);
    expect(await favorites(first)).toEqual([true, named('b')]);
  });
});

test('the counts match the list of features for random features', async () => {
  const { types } = (await app.ask('GET /api/admin/feature-types')).json();
  const lifetimes = new Map<string, number | null>(
    types.map((type: { id: string; lifetimeDays: number | null }) => [type.id, type.lifetimeDays]),
  );
  const featureInput = fc.record({
    type: fc.constantFrom(...lifetimes.keys()),
    age: fc.oneof(
      fc.constantFrom(7, 30, 40, 60).map((days) => days * day),
      fc.integer({ min: 0, max: 90 * day }),
    ),
    nudge: fc.constantFrom(-1, 0, 1),
    stale: fc.boolean(),
    archived: fc.boolean(),
  });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(featureInput, { maxLength: 12 }), async (inputs) => {
      round += 1;
      const id = named(`round-${round}`);
      await create.project(id);
      const born = inputs.map(({ age, nudge }) => Math.min(time, time - age + nudge));
      for (const [place, { type, stale, archived }] of inputs.entries()) {
        const createdAt = new Date(born[place] as number).toISOString();
        await create.feature(`${id}-${place}`, { project: id, type, stale, createdAt });
        if (archived) await app.ask(`DELETE ${projects}/${id}/features/${id}-${place}`);
      }
      const { features } = (await app.ask(`GET ${projects}/${id}/features`)).json();
      const report = (await app.ask(`GET ${pathOf(id)}`)).json();
      const stale = features.filter((each: { stale: boolean }) => each.stale).length;
      const due = features.filter((each: { stale: boolean; type: string; createdAt: string }) => {
        const lifetime = lifetimes.get(each.type) ?? Number.POSITIVE_INFINITY;
        return !each.stale && time - Date.parse(each.createdAt) >= lifetime * day;
      }).length;
      const n = features.length;
      const within = (from: number, to: number) =>
        born.filter((at) => time - at >= from * day && time - at < to * day).length;
      expect(report).toMatchObject({
        staleCount: stale,
        activeCount: n - stale,
        potentiallyStaleCount: due,
        health: n === 0 ? 100 : Math.round(100 - (100 * (stale + due)) / n),
        stats: {
          createdCurrentWindow: within(0, 30),
          createdPastWindow: within(30, 60),
          archivedCurrentWindow: inputs.filter(({ archived }) => archived).length,
        },
      });
      const names = (list: { name: string }[]) => list.map(({ name }) => name);
      expect(names(report.features)).toEqual(names(features));
    }),
    randomCases(4, 50),
  );
});
