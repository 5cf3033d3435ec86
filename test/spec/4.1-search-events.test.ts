import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { happen } from '../support/happen.ts';
import { limitedApp } from '../support/limited-app.ts';
import { addProjects } from '../support/projects.ts';

type Found = { events: { id: number; featureName: string | null }[]; total: number };

let app: TestApp;

/** A user who can read some projects and do nothing else. */
const viewerOf = (...projects: string[]) =>
  limitedApp(app, {
    id: 7,
    name: 'vera@example.com',
    kind: 'person',
    may: (permission) => permission === 'none',
    sees: new Set(projects),
  });

const search = async (parameters: Record<string, string>): Promise<Found> => {
  const response = await app.ask(`GET /api/admin/search/events?${new URLSearchParams(parameters)}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};

const found = async (parameters: Record<string, string>) =>
  (await search({ order: 'asc', ...parameters })).events.map(({ featureName }) => featureName);

const faults = async (parameters: string) => {
  const response = await app.ask(`GET /api/admin/search/events?${parameters}`);
  expect(response.statusCode, response.body).toBe(400);
  expect(response.json()).toMatchObject({ name: 'BadDataError', id: expect.any(String) });
  return response.json().details.map(({ path }: { path: string }) => path);
};

beforeAll(async () => {
  app = await testApp();
  const ada = { id: 7, name: 'ada@example.com', ip: '192.0.2.1' };
  await addProjects(app.db, 'alpha', 'beta', 'gamma');
  await happen(
    app.db,
    { featureName: 'first', project: 'alpha', at: '2025-03-10T00:00:00.000Z', by: ada },
    {
      featureName: 'second',
      project: 'beta',
      at: '2025-03-10T23:59:59.999Z',
      data: { note: '100% sure_thing' },
    },
    {
      featureName: 'third',
      project: 'alpha',
      environment: 'production',
      at: '2025-03-11T12:00:00.000Z',
      by: ada,
    },
    {
      featureName: 'with,comma',
      project: 'alpha',
      type: 'feature-archived',
      at: '2025-03-12T00:00:00.000Z',
      data: { note: 'say "big" C:\\dir' },
    },
    {
      featureName: 'fifth',
      project: null,
      type: 'feature-archived',
      at: '2025-03-13T00:00:00.000Z',
      data: { note: 'GRÖßE' },
      preData: { note: 'before' },
      tags: [{ type: 'simple', value: 'urgent' }],
    },
    {
      featureName: 'sixth',
      project: 'gamma',
      at: '2025-03-14T00:00:00.000Z',
      by: { id: 12, name: '12' },
    },
  );
});

const ours = { from: 'IS:2025-03-01', to: 'IS:2025-03-31' };

describe('4.1 Search events: response', () => {
  test('returns events and total, newest first', async () => {
    const { events, total } = await search(ours);
    expect(total).toBe(6);
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(events[0]?.featureName).toBe('sixth');
  });

  test('returns all fields of 2.1 for every event, null if they have no value', async () => {
    const { events } = await search({ feature: 'IS:fifth' });
    expect(events[0]).toEqual({
      id: expect.any(Number),
      createdAt: '2025-03-13T00:00:00.000Z',
      type: 'feature-archived',
      createdBy: 'admin',
      createdByUserId: -2000,
      environment: null,
      project: null,
      featureName: 'fifth',
      data: { note: 'GRÖßE' },
      preData: { note: 'before' },
      tags: [{ type: 'simple', value: 'urgent' }],
      label: 'Something happened',
      summary: '**admin** touched **fifth** in ',
      ip: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('answers HEAD with 200, like GET', async () => {
    const response = await app.app.inject({
      method: 'HEAD',
      url: '/api/admin/search/events',
      headers: { authorization: '*:*.test-admin' },
    });
    expect(response.statusCode).toBe(200);
  });

  test('returns JSON for an Accept header it does not support', async () => {
    const response = await app.ask('GET /api/admin/search/events', {
      headers: { accept: 'image/png' },
    });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain('application/json');
  });
});

describe('4.1 Search events: filters', () => {
  test.each([
    ['feature', 'IS:first', ['first']],
    ['feature', 'IS_ANY_OF:first, sixth ,none', ['first', 'sixth']],
    ['feature', 'IS:with,comma', ['with,comma']],
    ['feature', 'IS:FIRST', []],
    ['feature', 'IS:', []],
    ['feature', 'IS_ANY_OF:', []],
    ['feature', 'IS_ANY_OF:,first,', ['first']],
    ['feature', 'IS:fir%', []],
    ['project', 'IS:alpha', ['first', 'third', 'with,comma']],
    ['project', 'IS_ANY_OF:alpha,beta', ['first', 'second', 'third', 'with,comma']],
    ['type', 'IS:feature-archived', ['with,comma', 'fifth']],
    ['type', 'IS:', []],
    ['environment', 'IS:production', ['third']],
    ['createdBy', 'IS:7', ['first', 'third']],
    ['createdBy', 'IS:ada@example.com', ['first', 'third']],
    ['createdBy', 'IS_ANY_OF:ada@example.com,12', ['first', 'third', 'sixth']],
    ['createdBy', 'IS:-2000', ['second', 'with,comma', 'fifth']],
    ['createdBy', 'IS:99999999999999999999999', []],
    ['createdBy', 'IS:1.5', []],
  ])('%s=%s returns the matching events', async (name, value, expected) => {
    expect(await found({ ...ours, [name]: value })).toEqual(expected);
  });

  test('returns events that match all filters', async () => {
    expect(await found({ ...ours, project: 'IS:alpha', type: 'IS:feature-archived' })).toEqual([
      'with,comma',
    ]);
  });

  test('finds an event by id and rejects an id that is not a number', async () => {
    const { events } = await search(ours);
    const id = events[2]?.id;
    expect((await search({ id: `IS:${id}` })).events.map((event) => event.id)).toEqual([id]);
    expect(await found({ id: 'IS:99999999999999999999' })).toEqual([]);
    expect(await faults('id=IS:abc')).toEqual(['/query/id']);
  });

  test('rejects an unknown type and suggests similar ones', async () => {
    const response = await app.ask('GET /api/admin/search/events?type=IS:feature-create');
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toContain('feature-created');
  });

  test.each(['BOGUS:x', 'is:x', 'IS', 'first', 'IS_NOT:x', 'IS:a\nb'])(
    'rejects the malformed filter feature=%j',
    async (value) => {
      expect(await faults(new URLSearchParams({ feature: value }).toString())).toEqual([
        '/query/feature',
      ]);
    },
  );
});

describe('4.1 Search events: query', () => {
  test.each([
    ['sure', ['second']],
    ['SURE_THING', ['second']],
    ['sureXthing', []],
    ['100%', ['second']],
    ['%', ['second']],
    ['_', ['second']],
    ['\\', ['with,comma']],
    ['C:\\dir', ['with,comma']],
    ['say "big"', ['with,comma']],
    ['say \\"big\\"', ['with,comma']],
    ['größe', ['fifth']],
    ['GRÖSSE', ['fifth']],
    ['note', ['second', 'with,comma', 'fifth']],
    ['"note":', ['second', 'with,comma', 'fifth']],
    ['before', []],
    [' sure', ['second']],
    [' sure ', []],
    ['%%', []],
    ["' or 1=1 --", []],
    ['', ['first', 'second', 'third', 'with,comma', 'fifth', 'sixth']],
  ])('the query %j returns the matching events', async (query, expected) => {
    expect(await found({ ...ours, query })).toEqual(expected);
  });

  test('also searches preData and tags if queryIn names them', async () => {
    expect(await found({ ...ours, query: 'before', queryIn: 'preData' })).toEqual(['fifth']);
    expect(await found({ ...ours, query: 'urgent', queryIn: 'data,preData,tags' })).toEqual([
      'fifth',
    ]);
    expect(await found({ ...ours, query: 'urgent', queryIn: 'preData' })).toEqual([]);
    expect(await faults('query=x&queryIn=label')).toEqual(['/query/queryIn']);
  });
});

describe('4.1 Search events: dates and times', () => {
  test('treats from and to as UTC days, both inclusive', async () => {
    expect(await found({ from: 'IS:2025-03-10', to: 'IS:2025-03-10' })).toEqual([
      'first',
      'second',
    ]);
    expect(await found({ from: 'IS:2025-03-11', to: 'IS:2025-03-12' })).toEqual([
      'third',
      'with,comma',
    ]);
  });

  test('returns nothing if from is after to', async () => {
    expect((await search({ from: 'IS:2025-03-12', to: 'IS:2025-03-11' })).total).toBe(0);
  });

  test.each([
    'IS:2026-13-45',
    'IS:2026-02-30',
    'IS:0000-01-01',
    '2026-01-01',
    'IS_ANY_OF:2026-01-01',
    'IS:',
  ])('rejects %s as a day', async (value) => {
    expect(await faults(`from=${value}`)).toEqual(['/query/from']);
    expect(await faults(`to=${value}`)).toEqual(['/query/to']);
  });

  test('treats createdAfter and createdBefore as exclusive times', async () => {
    expect(
      await found({
        createdAfter: '2025-03-10T00:00:00Z',
        createdBefore: '2025-03-11T13:00:00+01:00',
      }),
    ).toEqual(['second']);
    expect(
      await found({
        createdAfter: '2025-03-11T11:59:59.999Z',
        createdBefore: '2025-03-11T12:00:00.0001Z',
      }),
    ).toEqual(['third']);
    expect(await faults('createdAfter=yesterday&createdBefore=2025-02-30T00:00:00Z')).toEqual([
      '/query/createdAfter',
      '/query/createdBefore',
    ]);
  });
});

describe('4.1 Search events: paging', () => {
  test('skips offset events, returns at most limit events and keeps the total', async () => {
    const { events, total } = await search({ ...ours, offset: '1', limit: '2' });
    expect(events.map(({ featureName }) => featureName)).toEqual(['fifth', 'with,comma']);
    expect(total).toBe(6);
  });

  test.each(['6', '1000', '99999999999999999999999999', '9'.repeat(400)])(
    'returns no events and the exact total at offset %s, past the end',
    async (offset) => {
      for (const filter of [{}, { project: 'IS_ANY_OF:alpha,beta' }, { query: 'note' }]) {
        const everything = await search({ ...ours, ...filter });
        expect(await search({ ...ours, ...filter, offset })).toEqual({
          events: [],
          total: everything.total,
        });
      }
    },
  );

  test.each(['abc', '-1', '1.5', '0x10', '', ' 1', '1e2', 'Infinity'])(
    'rejects %j as limit and offset',
    async (value) => {
      const encoded = encodeURIComponent(value);
      expect(await faults(`limit=${encoded}&offset=${encoded}`)).toEqual([
        '/query/limit',
        '/query/offset',
      ]);
    },
  );

  test('rejects limit 0', async () => {
    expect(await faults('limit=0')).toEqual(['/query/limit']);
  });

  test('rejects a repeated parameter', async () => {
    expect(await faults('limit=1&limit=2&feature=IS:a&feature=IS:b')).toEqual([
      '/query/feature',
      '/query/limit',
    ]);
  });

  test('ignores unknown parameters', async () => {
    expect((await search({ ...ours, sortBy: 'createdAt' })).total).toBe(6);
  });

  test('reverses the order with order=asc', async () => {
    expect(await found({ ...ours, order: 'asc', limit: '2' })).toEqual(['first', 'second']);
    expect(await faults('order=up')).toEqual(['/query/order']);
  });

  test('continues after the page with a cursor, which excludes an offset and another order', async () => {
    const first = (
      await app.ask('GET /api/admin/search/events?limit=2&from=IS:2025-03-01&to=IS:2025-03-31')
    ).json();
    const second = (
      await app.ask(
        `GET /api/admin/search/events?limit=9&from=IS:2025-03-01&to=IS:2025-03-31&cursor=${first.nextCursor}`,
      )
    ).json();
    expect([...first.events, ...second.events].map(({ featureName }) => featureName)).toEqual([
      'sixth',
      'fifth',
      'with,comma',
      'third',
      'second',
      'first',
    ]);
    expect(second).not.toHaveProperty('nextCursor');
    expect(second.total).toBe(6);
    expect(await faults(`cursor=${first.nextCursor}&offset=1&order=asc`)).toEqual([
      '/query/order',
      '/query/offset',
    ]);
    expect(await faults('cursor=nonsense')).toEqual(['/query/cursor']);
  });

  test('lets a client poll with an ascending cursor indefinitely', async () => {
    let { nextCursor } = (
      await app.ask('GET /api/admin/search/events?order=asc&limit=1000&project=IS:delta')
    ).json();
    for (const featureName of ['one', 'two', 'three']) {
      const quiet = (
        await app.ask(`GET /api/admin/search/events?project=IS:delta&cursor=${nextCursor}`)
      ).json();
      expect(quiet.events).toEqual([]);
      await happen(app.db, { project: 'elsewhere' }, { featureName, project: 'delta' });
      const news = (
        await app.ask(`GET /api/admin/search/events?project=IS:delta&cursor=${quiet.nextCursor}`)
      ).json();
      expect(news.events.map((event: { featureName: string }) => event.featureName)).toEqual([
        featureName,
      ]);
      nextCursor = news.nextCursor;
    }
  });

  test('keeps totals exact while events are added', async () => {
    for (const parameters of [
      {},
      { project: 'IS:epsilon' },
      { query: 'counted' },
      { query: 'counted', project: 'IS:epsilon' },
    ]) {
      const before = await search(parameters);
      await happen(
        app.db,
        { project: 'epsilon', data: { note: 'counted' } },
        { project: 'epsilon', data: { note: 'counted' } },
      );
      expect((await search(parameters)).total).toBe(before.total + 2);
    }
  });
});

describe('4.1 Search events: visibility', () => {
  const asViewer = async (parameters: Record<string, string>, ...projects: string[]) => {
    const viewer = viewerOf(...projects);
    const response = await viewer.ask(
      `GET /api/admin/search/events?${new URLSearchParams({ ...ours, order: 'asc', ...parameters })}`,
    );
    expect(response.statusCode).toBe(200);
    return response.json();
  };
  const names = ({ events }: Found) => events.map(({ featureName }) => featureName);

  test('shows users who are not administrators only events of projects they can see, and none without a project', async () => {
    const answer = await asViewer({}, 'beta', 'gamma');
    expect(names(answer)).toEqual(['second', 'sixth']);
    expect(answer.total).toBe(2);
  });

  test('returns nothing for a project the caller cannot see', async () => {
    expect(names(await asViewer({ project: 'IS:alpha' }, 'beta'))).toEqual([]);
    expect(names(await asViewer({ project: 'IS_ANY_OF:alpha,beta' }, 'beta'))).toEqual(['second']);
    expect(names(await asViewer({}))).toEqual([]);
  });

  test('searches text, ids and creators only in visible events', async () => {
    expect(names(await asViewer({ query: 'note' }, 'beta'))).toEqual(['second']);
    expect(names(await asViewer({ createdBy: 'IS:7' }, 'beta'))).toEqual([]);
    const { events } = await search(ours);
    expect(names(await asViewer({ id: `IS:${events[0]?.id}` }, 'beta'))).toEqual([]);
  });

  test('returns IP addresses only to administrators', async () => {
    expect((await search({ feature: 'IS:first' })).events[0]).toMatchObject({ ip: '192.0.2.1' });
    expect((await asViewer({ feature: 'IS:first' }, 'alpha')).events[0]).toMatchObject({
      ip: null,
    });
  });

  test('lists the creators of visible events, each with their latest name', async () => {
    const everybody = (await app.ask('GET /api/admin/event-creators')).json();
    expect(everybody).toContainEqual({ id: 7, name: 'ada@example.com' });
    const viewer = viewerOf('gamma');
    expect((await viewer.ask('GET /api/admin/event-creators')).json()).toEqual([
      { id: 12, name: '12' },
    ]);
  });
});

describe('the older event endpoints', () => {
  test('GET /api/admin/events returns the newest events, filtered by project if one is given', async () => {
    const answer = (await app.ask('GET /api/admin/events?project=alpha')).json();
    expect(answer).toMatchObject({ version: 1, totalEvents: 3 });
    expect(answer.events.map((event: { featureName: string }) => event.featureName)).toEqual([
      'with,comma',
      'third',
      'first',
    ]);
  });

  test('POST /api/admin/events/search filters by plain values and searches all text of an event', async () => {
    const post = async (payload: object) =>
      (await app.ask('POST /api/admin/events/search', { payload })).json();
    const names = async (payload: object) =>
      (await post(payload)).events.map((event: { featureName: string }) => event.featureName);
    expect(await post({ project: 'alpha', limit: 1, offset: 1 })).toMatchObject({
      version: 1,
      totalEvents: 3,
      events: [{ featureName: 'third' }],
    });
    expect(await names({ feature: 'with,comma' })).toEqual(['with,comma']);
    expect(await names({ type: 'feature-archived', query: 'BEFORE' })).toEqual(['fifth']);
    expect(await names({ type: null, project: '', feature: 'first' })).toEqual(['first']);
    const viewer = viewerOf('beta');
    const seen = await viewer.ask('POST /api/admin/events/search', { payload: { query: 'note' } });
    expect(seen.json()).toMatchObject({ totalEvents: 1, events: [{ featureName: 'second' }] });
    const wrong = await app.ask('POST /api/admin/events/search', {
      payload: { type: 'feature-craeted', limit: 0 },
    });
    expect(wrong.statusCode).toBe(400);
    const unknown = await app.ask('POST /api/admin/events/search', {
      payload: { type: 'feature-craeted' },
    });
    expect(unknown.json().details).toEqual([
      { path: '/body/type', message: expect.stringContaining('feature-created') },
    ]);
  });

  test('GET /api/admin/events/:featureName returns the events of one feature', async () => {
    expect((await app.ask('GET /api/admin/events/first')).json()).toMatchObject({
      version: 1,
      toggleName: 'first',
      totalEvents: 1,
      events: [{ featureName: 'first' }],
    });
    expect((await app.ask('GET /api/admin/events/never')).json()).toEqual({
      version: 1,
      toggleName: 'never',
      totalEvents: 0,
      events: [],
    });
  });
});
