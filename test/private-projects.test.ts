import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from './support/app.ts';
import { delivery, happened } from './support/deliveries.ts';
import { type Person, person } from './support/people.ts';
import {
  type Ask,
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
  type Things,
  thingsOf,
} from './support/private-project.ts';

/** Responses that change over time and contain nothing of a project. */
const changing: Readonly<Record<string, string>> = {
  getAvatar: 'a drawing, the same for everybody',
  getAddonStatistics: 'its time; what it counts is looked at in test/spec/4.3',
};

const reading = endpoints.filter(({ method }) => method === 'GET');

/** A fixed time, because some responses change with the hour or day. */
const now = new Date();

let app: TestApp;
let shared: Shared;
let integration: number;
let record: string;
let there: Hidden;
let outsiders: readonly { readonly who: string; readonly ask: Ask }[];
/** The responses to each outsider before the private project was created. */
const before = new Map<string, string>();

const sharedThings = (): Things => ({
  projectId: 'open',
  featureName: 'seen',
  environment: 'development',
  strategyId: shared.strategy,
  strategyName: 'customised',
  contextField: 'tenant',
  'segments/:id': String(shared.segment),
  'addons/:id': String(integration),
  recordId: record,
  'environments/:name': 'development',
  'tag-types/:name': 'simple',
  type: 'simple',
  value: 'shared',
  roleId: '5',
  appName: 'shared-app',
});

/** Searches with parameters, in addition to the plain lists. */
const searches = [
  '/api/admin/search/events?limit=1000',
  '/api/admin/search/events?query=hidden&queryIn=data,preData,tags',
  '/api/admin/search/events?type=IS:feature-created&order=desc',
  '/api/admin/search/features?limit=100&sortBy=createdAt&favoritesFirst=true',
  '/api/admin/search/features?tag=INCLUDE:simple:shared',
  '/api/admin/search/features?query=hidden',
  '/api/admin/search/features?archived=IS:true',
  '/api/admin/search/features?segment=INCLUDE:everybody',
  '/api/admin/projects?archived=true',
  '/api/admin/calendar',
  '/api/admin/saved-views?page=features',
  '/api/admin/saved-views?page=events',
];

const sharedAddresses = (): string[] => [
  ...reading
    .filter(({ id }) => !(id in changing))
    .map((endpoint) => addressOf(endpoint, sharedThings()))
    .filter((url) => url !== undefined),
  ...searches,
];

/** Status and body, without values that differ in every response, and without the user's last activity. */
const answerOf = async (ask: Ask, url: string): Promise<string> => {
  const { statusCode, body } = await ask(`GET ${url}`);
  const lasting = statusCode < 400 ? body : body.replace(/^\{"id":"[^"]*"/, '{');
  return `${statusCode} ${lasting.replace(/,?"seenAt":(?:"[^"]*"|null)/g, '')}`;
};

const aboutProjects = (...projects: readonly string[]) => ({
  payload: {
    provider: 'webhook',
    enabled: false,
    parameters: { url: 'http://127.0.0.1:9/hook' },
    events: ['feature-created'],
    projects,
  },
});

beforeAll(async () => {
  app = await testApp({ clock: () => now });
  shared = await makeShared(app.ask);
  integration = (await app.ask('POST /api/admin/addons', aboutProjects('open'))).json().id;
  record = await delivery(app, integration, { eventId: await happened(app, { project: 'open' }) });
  const insiders = await makeInsiders(app);
  // Once an account was used, the sign-in page no longer shows where to find the first password.
  await app.db.insertInto('last_seen').values({ kind: 'account', id: 1, seen_at: now }).execute();
  const people: Person[] = [await person(app), await person(app, { rootRole: 2 })];
  outsiders = [
    { who: 'viewer', ask: (people[0] as Person).ask },
    { who: 'editor', ask: (people[1] as Person).ask },
  ];
  for (const { who, ask } of outsiders) {
    for (const url of sharedAddresses()) before.set(`${who} ${url}`, await answerOf(ask, url));
  }
  there = await makeHidden(app, shared, insiders);
  await done(app.ask(`PUT /api/admin/addons/${integration}`, aboutProjects('open', hidden)));
  await done(app.ask('POST /api/admin/addons', aboutProjects(hidden)));
  for (const state of ['delivered', 'pending', 'givenUp'] as const) {
    const eventId = await happened(app, { project: hidden });
    await delivery(app, integration, { eventId, state, stateDetails: mark });
  }
});

const hiddenThings = () => thingsOf(mark, there);
const absentThings = () =>
  thingsOf(absent, {
    segment: 2_147_483_647,
    strategy: '00000000-0000-4000-8000-000000000000',
    token: 2_147_483_647,
    event: 2_147_483_647,
    request: 2_147_483_647,
  });

/** Replaces hidden names and ids in a response by those of resources that do not exist. */
const disguised = (answer: string): string => {
  const [real, none] = [hiddenThings(), absentThings()];
  const ids = [
    'strategyId',
    'segments/:id',
    'secret',
    'events/:id',
    'change-requests/:id',
  ] as const;
  const named = answer.replaceAll(mark, absent);
  return ids.reduce((text, id) => text.replaceAll(`'${real[id]}'`, `'${none[id]}'`), named);
};

describe('for users without a role in it, a private project', () => {
  test('changes no other response: no list, no search, no total', async () => {
    for (const { who, ask } of outsiders) {
      for (const url of sharedAddresses()) {
        const answer = await answerOf(ask, url);
        expect([who, url, answer]).toEqual([who, url, before.get(`${who} ${url}`)]);
        expect(answer.replace(/query=hidden/g, '')).not.toContain(mark);
      }
    }
  });

  const addressed = reading
    .filter((endpoint) => {
      const things = thingsOf(mark, { segment: 1, strategy: '1', token: 1, event: 1 });
      return endpoint.path.includes(':') && addressOf(endpoint, things) !== undefined;
    })
    .map((endpoint) => [endpoint.id, endpoint] as const);

  test.each(addressed)('looks in %s like a project that does not exist', async (_id, endpoint) => {
    const url = addressOf(endpoint, hiddenThings()) as string;
    const none = addressOf(endpoint, absentThings()) as string;
    for (const { who, ask } of outsiders) {
      const answer = await answerOf(ask, url);
      expect([who, disguised(answer)]).toEqual([who, await answerOf(ask, none)]);
      if (endpoint.scope || endpoint.scopeOf) expect(answer.slice(0, 3)).toBe('404');
    }
  });

  test('is not in exports of events', async () => {
    for (const { ask } of outsiders) {
      for (const accept of ['application/x-ndjson', 'text/csv']) {
        const { statusCode, body } = await ask('GET /api/admin/search/events', {
          headers: { accept },
        });
        expect([statusCode, body.includes(mark)]).toEqual([200, false]);
        expect(body).toContain('seen');
      }
    }
  });

  test('is not found by searches that name it', async () => {
    const queries = [
      `events?project=IS:${hidden}`,
      `events?project=IS_ANY_OF:open,${hidden}&type=IS:feature-tagged&limit=1000`,
      `events?feature=IS:${mark}-child`,
      `events?createdBy=IS:${there.member.name}`,
      `features?project=IS:${hidden}`,
      `features?project=IS_NONE_OF:open`,
      `features?tag=INCLUDE:simple:${mark}-value`,
      `features?segment=INCLUDE:${mark}-segment`,
    ];
    for (const { ask } of outsiders) {
      for (const query of queries) {
        const asked = await answerOf(ask, `/api/admin/search/${query}`);
        const none = query
          .replaceAll(mark, absent)
          .replaceAll(there.member.name, `${there.member.name}-absent`);
        expect(asked).toBe(await answerOf(ask, `/api/admin/search/${none}`));
      }
    }
  });
});

describe('for members and administrators, a private project', () => {
  /** Endpoints where members must find something, which proves that the tests above can detect it. */
  const revealing = [
    `/api/admin/projects/${hidden}/overview`,
    `/api/admin/projects/${hidden}/features/${mark}-child`,
    `/api/admin/projects`,
    '/api/admin/search/features',
    '/api/admin/search/events?limit=1000',
    '/api/admin/archive/features',
    '/api/admin/segments',
    '/api/admin/tags',
    '/api/admin/addons',
    '/api/admin/context/tenant/strategies',
    `/api/admin/features/${mark}-child/tags`,
    `/api/admin/projects/${hidden}/api-tokens`,
    '/api/admin/metrics/applications',
    '/api/admin/metrics/sdks/outdated',
    '/api/admin/metrics/unknown-flags',
    `/api/admin/projects/${hidden}/applications`,
  ];

  test('is visible through a project role, a group or the Admin role', async () => {
    const administrator = await person(app, { rootRole: 1 });
    for (const { ask } of [there.member, there.inGroup, administrator, app]) {
      for (const url of revealing) {
        const { statusCode, body } = await ask(`GET ${url}`);
        expect([url, statusCode, body.includes(mark)]).toEqual([url, 200, true]);
      }
    }
  });

  test('exists at every URL tested above', async () => {
    const nowhere: string[] = [];
    for (const endpoint of reading) {
      const url = addressOf(endpoint, hiddenThings());
      if (!url || !endpoint.path.includes(':')) continue;
      if ((await app.ask(`GET ${url}`)).statusCode === 404) nowhere.push(url);
    }
    expect(nowhere).toEqual([]);
  });

  test('is included in totals', async () => {
    const total = async (ask: Ask, url: string, field: string) =>
      (await ask(`GET ${url}`)).json()[field];
    const [viewer] = outsiders;
    for (const [url, field] of [
      ['/api/admin/search/features', 'total'],
      ['/api/admin/search/events', 'total'],
      ['/api/admin/environments/development', 'projectCount'],
      ['/api/admin/environments/development', 'enabledToggleCount'],
      ['/api/admin/context/tenant', 'usedInFeatures'],
      [`/api/admin/segments/${shared.segment}`, 'usedInProjects'],
      ['/api/admin/lifecycle/count', 'completed'],
    ] as const) {
      const [less, more] = [
        await total(viewer?.ask as Ask, url, field),
        await total(there.inGroup.ask, url, field),
      ];
      expect([url, field, less < more]).toEqual([url, field, true]);
    }
  });

  test('becomes visible to everyone when opened, and hidden again when made private', async () => {
    const [viewer] = outsiders;
    const look = async () =>
      (await viewer?.ask(`GET /api/admin/projects/${hidden}/overview`))?.statusCode;
    const set = (mode: string) =>
      there.member.ask(`PUT /api/admin/projects/${hidden}/settings`, { payload: { mode } });
    await set('open');
    expect(await look()).toBe(200);
    await set('private');
    expect(await look()).toBe(404);
  });
});

test('every read endpoint is tested or has a reason not to be', () => {
  const things = { ...sharedThings(), ...hiddenThings() };
  const others = reading.filter(
    (endpoint) => !(endpoint.id in changing) && !addressOf(endpoint, things),
  );
  const reasons: Readonly<Record<string, string>> = {
    getUser: 'for administrators',
    getUserPermissions: 'for administrators',
    explainAccess: 'for administrators',
    getUserSessions: 'for administrators',
    getGroup: 'for administrators',
    getServiceAccountTokens: 'for administrators',
    getServiceAccountPermissions: 'for administrators',
    getPublicSignupToken: 'for administrators',
    validatePublicSignupToken: 'public: whether a link may still be used',
  };
  expect(others.map(({ id }) => id).filter((id) => !(id in reasons))).toEqual([]);
  const administrators = others.filter(({ id }) => reasons[id] === 'for administrators');
  expect(administrators.filter(({ permission }) => permission !== 'ADMIN')).toEqual([]);
});
