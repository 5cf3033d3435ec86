import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtInPermissions, roleIds, typeOfPermission } from '../../src/modules/access/index.ts';
import { modules } from '../../src/modules.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import type { Module } from '../../src/platform/module.ts';
import { changesNothing, scenarios } from '../mutations/index.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { delivery, happened } from '../support/deliveries.ts';
import { make } from '../support/make.ts';
import { customRole, person } from '../support/people.ts';
import { recordedBy } from '../support/recorded.ts';
import { clientToken, frontendToken } from '../support/tokens.ts';
import { programs } from '../support/usage.ts';
import { expected, permissionsOf, permits, type Role, roles } from './oracle.ts';
import {
  anywhere,
  harmlessBodies,
  inTheService,
  neededByScenario,
  outsideTheApi,
  pages,
  refusedForAnotherReason,
  refusedOnPrinciple,
} from './particulars.ts';

const endpoints: Endpoint[] = (modules as readonly Module[]).flatMap(({ contract }) =>
  Object.values(contract),
);

type Sent = Omit<InjectOptions, 'url' | 'method'>;
interface Request {
  readonly line: Parameters<TestApp['ask']>[0];
  readonly sent: Sent;
}

/** The parameters of a request line, where it is one to this endpoint. */
function paramsOf(endpoint: Endpoint, line: string): Record<string, string> | undefined {
  const path = line.split('?', 1)[0] ?? '';
  const pattern = endpoint.path.replace(/[.()]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]+)');
  const match = new RegExp(`^${endpoint.method} ${pattern}$`).exec(path);
  if (!match) return undefined;
  return Object.fromEntries(
    Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
}

/** The project in which a request wants something, as the contract or its body says. */
async function projectOf(on: TestApp, endpoint: Endpoint, request: Request): Promise<string> {
  const params = paramsOf(endpoint, request.line) ?? {};
  const feature = endpoint.scopeOf && params[endpoint.scopeOf];
  if (feature) {
    const found = await on.db
      .selectFrom('features')
      .where('name', '=', feature)
      .select('project')
      .executeTakeFirst();
    return found?.project ?? 'default';
  }
  const body = request.sent.payload as { project?: unknown; projectId?: unknown } | undefined;
  const named = [
    endpoint.scope && params[endpoint.scope],
    params.projectId,
    body?.project,
    body?.projectId,
  ];
  return named.find((name): name is string => typeof name === 'string') ?? 'default';
}

const other = (environment: string) =>
  environment === 'production' ? 'development' : 'production';

/** Somebody in exactly this role towards this request, never seen before: no gate remembers them. */
async function headersOf(
  on: TestApp,
  role: Role,
  endpoint: Endpoint,
  place: { projects: readonly string[]; environment: string | undefined },
): Promise<Record<string, string>> {
  const as = async (wish: Parameters<typeof person>[1]) => ({
    authorization: (await person(on, wish)).token,
  });
  const asked = permissionsOf(endpoint).find((name) => name !== 'ADMIN') ?? 'none';
  const type = typeOfPermission(asked);
  const { environment } = place;
  const inAll = (own: number) => ({
    roles: Object.fromEntries(place.projects.map((project) => [project, own])),
  });
  switch (role) {
    case 'anonymous':
      return { authorization: '' };
    case 'client token':
      return { authorization: clientToken };
    case 'frontend token':
      return { authorization: frontendToken };
    case 'expired token':
      return as({ rootRole: roleIds.admin, expiresAt: new Date(Date.now() - 1000) });
    case 'revoked token': {
      const { token, id } = await person(on, { rootRole: roleIds.admin });
      await on.db.deleteFrom('personal_tokens').where('user_id', '=', id).execute();
      return { authorization: token };
    }
    case 'viewer':
      return as({});
    case 'editor':
      return as({ rootRole: roleIds.editor });
    case 'member':
      return as(inAll(roleIds.member));
    case 'owner':
      return as(inAll(roleIds.owner));
    case 'service account':
      return as({ rootRole: roleIds.editor, kind: 'service account' });
    case 'admin':
      return as({ rootRole: roleIds.admin });
    case 'exactly the permission': {
      if (type === undefined) return as({});
      if (type === 'root') {
        return as({ rootRole: await customRole(on, 'root-custom', [{ name: asked }]) });
      }
      const where = type === 'environment' && environment !== undefined ? { environment } : {};
      const own = await customRole(on, 'custom', [{ name: asked, ...where }]);
      return as(inAll(own));
    }
    case 'the permission elsewhere': {
      if (type === 'environment' && environment !== undefined) {
        const own = await customRole(on, 'custom', [
          { name: asked, environment: other(environment) },
        ]);
        return as(inAll(own));
      }
      const own = await customRole(on, 'custom', type === 'project' ? [{ name: asked }] : []);
      return as({ roles: { elsewhere: own } });
    }
  }
}

/** What an answer is in the words of the table. */
function outcomeOf(response: LightMyRequestResponse) {
  const name = response.headers['content-type']?.toString().includes('json')
    ? (response.json() as { name?: unknown } | null)?.name
    : undefined;
  if (response.statusCode === 401) return name === 'AuthenticationRequired' ? 401 : `401 ${name}`;
  if (response.statusCode === 403 && name === 'NoAccessError') return '403';
  return response.statusCode < 500 ? 'served' : `${response.statusCode} ${response.body}`;
}

let on: TestApp;
let rehearsal: TestApp;
let lookedAt: Readonly<Record<string, string>>;
beforeAll(async () => {
  [on, rehearsal] = [await testApp(), await testApp()];
  for (const each of [on, rehearsal]) await make(each.ask).project('elsewhere');
  await make(on.ask).feature('looked-at');
  await make(on.ask).feature('looked-at-in-other', { project: 'elsewhere' });
  lookedAt = await placesToLookAt(on);
});

/** Where a read finds something, for those whose path is more than a project and a feature. */
async function placesToLookAt(here: TestApp): Promise<Readonly<Record<string, string>>> {
  const { ask } = here;
  const to = make(ask);
  const segment = await to.segment('looked-at');
  const strategy = await to.strategy('looked-at', { segments: [segment.id] });
  await ask('POST /api/admin/features/looked-at/tags', {
    payload: { type: 'simple', value: 'seen' },
  });
  const account = (
    await ask('POST /api/admin/service-account', {
      payload: { username: 'looked-at', name: 'Looked at', rootRole: 3 },
    })
  ).json();
  const link = (
    await ask('POST /api/admin/invite-link/tokens', {
      payload: { name: 'looked-at', expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
    })
  ).json();
  const addon = (
    await ask('POST /api/admin/addons', {
      payload: {
        provider: 'webhook',
        enabled: false,
        parameters: { url: 'http://127.0.0.1:9/hook' },
        events: [],
      },
    })
  ).json();
  const told = await delivery(here, addon.id, {
    eventId: await happened(here, { project: 'default' }),
  });
  const feature = '/api/admin/projects/default/features/looked-at';
  await programs(here).register({ appName: 'looked-at' });
  await ask(`PUT ${feature}/review`, { payload: { permanent: true, reason: 'Looked at' } });
  const code = '/api/admin/projects/default/code-references';
  await ask(`PUT ${code}`, { payload: { repository: 'forgotten', references: [] } });
  return {
    getAddon: `/api/admin/addons/${addon.id}`,
    getAddonDeliveries: `/api/admin/addons/${addon.id}/deliveries`,
    getAddonStatistics: `/api/admin/addons/${addon.id}/statistics`,
    getIntegrationEvent: `/api/admin/addons/${addon.id}/events/${told}`,
    getIntegrationEvents: `/api/admin/addons/${addon.id}/events`,
    redeliverIntegrationEvent: `/api/admin/addons/${addon.id}/events/${told}/redeliver`,
    redeliverIntegrationEvents: `/api/admin/addons/${addon.id}/redeliver`,
    deleteCodeReferences: `${code}?repository=forgotten`,
    testAddon: `/api/admin/addons/${addon.id}/test`,
    getContextField: '/api/admin/context/userId',
    getStrategiesByContextField: '/api/admin/context/userId/strategies',
    getEnvironment: '/api/admin/environments/development',
    getFeatureStrategy: `${feature}/environments/development/strategies/${strategy.id}`,
    getSegment: `/api/admin/segments/${segment.id}`,
    getStrategiesBySegmentId: `/api/admin/segments/${segment.id}/strategies`,
    getSegmentsByStrategyId: `/api/admin/segments/strategies/${strategy.id}`,
    getServiceAccountPermissions: `/api/admin/service-account/${account.id}/permissions`,
    getServiceAccountTokens: `/api/admin/service-account/${account.id}/token`,
    getStrategy: '/api/admin/strategies/flexibleRollout',
    getTag: '/api/admin/tags/simple/seen',
    getTagType: '/api/admin/tag-types/simple',
    getTagsByType: '/api/admin/tags/simple',
    validatePublicSignupToken: `/invite/${link.secret}/validate`,
  };
}

async function walk(endpoint: Endpoint, request: Request): Promise<LightMyRequestResponse> {
  const params = paramsOf(endpoint, request.line) ?? {};
  const project = await projectOf(on, endpoint, request);
  const target = (request.sent.payload as { newProjectId?: string } | undefined)?.newProjectId;
  const place = {
    projects: [project, ...(target ? [target] : [])],
    environment: params.environment,
  };
  // Those who are refused come first: they change nothing, so that all meet the same state.
  const ordered = [...roles].sort(
    (a, b) =>
      Number(expected(endpoint, a) === 'served') - Number(expected(endpoint, b) === 'served'),
  );
  const exists = await on.db
    .selectFrom('projects')
    .where('id', '=', project)
    .select('id')
    .executeTakeFirst();
  const asking = exists ? ordered : ordered.filter((each) => !/member|owner|permission/.test(each));
  const credentials = new Map<Role, Record<string, string>>();
  for (const role of asking) credentials.set(role, await headersOf(on, role, endpoint, place));
  const served = new Map<Role, LightMyRequestResponse>();
  let last: LightMyRequestResponse | undefined;
  for (const role of asking) {
    const headers = credentials.get(role);
    const response = await on.ask(request.line, {
      ...request.sent,
      headers: { ...request.sent.headers, ...headers },
    });
    const wanted = expected(endpoint, role);
    const told = `${endpoint.id} as ${role}: ${response.statusCode} ${response.body.slice(0, 300)}`;
    if (refusedForAnotherReason(endpoint, role)) continue;
    expect(outcomeOf(response), told).toBe(wanted === '403 ADMIN' ? '403' : wanted);
    if (wanted === '403 ADMIN') expect(response.json().message).toContain('ADMIN');
    if (wanted === '403' && !inTheService.has(endpoint.id)) {
      const needed =
        endpoint.audience?.map((each) => each.toUpperCase()) ?? permissionsOf(endpoint);
      expect(response.json().message, told).toContain(needed.join(' or '));
      if (params.environment)
        expect(response.json().message, told).toContain(`'${params.environment}'`);
    }
    if (wanted !== 'served' && endpoint.method !== 'GET') {
      expect(await recordedBy(on.db, response), told).toEqual([]);
    }
    if (wanted === 'served') served.set(role, response);
    last = response;
  }
  if (!refusedOnPrinciple.has(endpoint.id)) requireSuccess(endpoint, served);
  return last as LightMyRequestResponse;
}

/**
 * Whoever is served gets what was asked for: the same from a read, whoever asks; from a change the
 * first one, after whom the state is another.
 */
function requireSuccess(
  endpoint: Endpoint,
  served: ReadonlyMap<Role, LightMyRequestResponse>,
): void {
  const answers = [...served];
  for (const [role, response] of endpoint.method === 'GET' ? answers : answers.slice(0, 1)) {
    const told = `${endpoint.id} as ${role}: ${response.statusCode} ${response.body.slice(0, 300)}`;
    expect(response.statusCode, told).toBeLessThan(400);
  }
}

/** Nobody without a role knows a private project, whatever they ask of it. */
async function walkUnseen(endpoint: Endpoint, request: Request): Promise<void> {
  const params = paramsOf(endpoint, request.line) ?? {};
  if (
    !(endpoint.scope && params[endpoint.scope]) &&
    !(endpoint.scopeOf && params[endpoint.scopeOf])
  )
    return;
  const project = await projectOf(on, endpoint, request);
  const modeOf = (mode: 'private' | 'open') =>
    on.db.updateTable('projects').set({ mode }).where('id', '=', project).execute();
  await modeOf('private');
  for (const rootRole of [roleIds.viewer, roleIds.editor]) {
    const { token } = await person(on, { rootRole });
    const response = await on.ask(request.line, {
      ...request.sent,
      headers: { ...request.sent.headers, authorization: token },
    });
    expect([response.statusCode, response.json().name], endpoint.id).toEqual([
      404,
      'NotFoundError',
    ]);
  }
  await modeOf('open');
}

const named: Readonly<Record<string, string>> = {
  projectId: 'default',
  featureName: 'looked-at',
  childName: 'looked-at',
  appName: 'looked-at',
  environment: 'development',
  name: 'looked-at',
  key: 'looked-at',
};

/** A request to an endpoint of which no scenario tells. */
const plainRequest = (endpoint: Endpoint): Request => ({
  line: `${endpoint.method} ${lookedAt[endpoint.id] ?? endpoint.path.replace(/:(\w+)/g, (_all, name) => named[name] ?? '1')}` as Request['line'],
  sent: endpoint.method === 'GET' ? {} : { payload: harmlessBodies[endpoint.id] ?? {} },
});

/** Runs a scenario; the last request to the endpoint is the one that is looked at. */
async function lookAt(endpoint: Endpoint): Promise<void> {
  const scenario = scenarios[endpoint.id];
  if (endpoint.method === 'GET' || !scenario) {
    const request = plainRequest(endpoint);
    await walkUnseen(endpoint, request);
    await walk(endpoint, request);
    return;
  }
  let count = 0;
  await scenario(async (line, sent) => {
    if (paramsOf(endpoint, line)) count += 1;
    return rehearsal.ask(line, sent);
  }, rehearsal);
  expect(count, `${endpoint.id}: its scenario never asks it`).toBeGreaterThan(0);
  await scenario(async (line, sent = {}) => {
    if (paramsOf(endpoint, line) && --count === 0) {
      await walkUnseen(endpoint, { line, sent });
      return walk(endpoint, { line, sent });
    }
    return on.ask(line, sent);
  }, on);
}

describe('every route × every role answers as the table says', () => {
  test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s',
    async (_id, endpoint) => {
      await lookAt(endpoint);
    },
  );
});

test('the built-in roles permit what is written here', () => {
  const of = (role: number) => (builtInPermissions.get(role) ?? []).map(({ name }) => name).sort();
  for (const role of ['viewer', 'editor', 'member', 'owner'] as const) {
    expect(of(roleIds[role]), role).toEqual([...permits[role]].sort());
  }
  expect(of(roleIds.admin)).toEqual(['ADMIN']);
});

test('every permission that a contract names exists, and a project permission says in which project', () => {
  const unknown = endpoints.flatMap((endpoint) =>
    permissionsOf(endpoint)
      .filter((name) => !['none', 'public'].includes(name) && !typeOfPermission(name))
      .map((name) => `${endpoint.id}: ${name}`),
  );
  const nowhere = endpoints.filter(
    (endpoint) =>
      permissionsOf(endpoint).some((name) =>
        ['project', 'environment'].includes(typeOfPermission(name) ?? ''),
      ) &&
      !endpoint.scope &&
      !endpoint.scopeOf &&
      !endpoint.demandedByService,
  );
  expect(unknown).toEqual([]);
  expect(nowhere.map(({ id }) => id).sort()).toEqual([...anywhere].sort());
});

test('no route of the server is missing: each is an endpoint, a page or a document', async () => {
  const unnamed = (route: string) => route.replace(/:[^/.]+/g, ':');
  const known = new Set(endpoints.map(({ method, path }) => unnamed(`${method} ${path}`)));
  const others = [...routesOf(on)].filter((route) => !known.has(unnamed(route))).sort();
  expect(others).toEqual([...pages].sort());
  const document = (await on.ask('GET /docs/openapi.json')).json();
  const described = Object.values<Record<string, { operationId?: string }>>(document.paths)
    .flatMap((path) => Object.values(path))
    .map(({ operationId }) => operationId);
  const walked = new Set(endpoints.map(({ id }) => id));
  expect(described.filter((id) => id !== undefined && !walked.has(id)).sort()).toEqual(
    outsideTheApi,
  );
});

/** Every route that the server has, as its router tells them. */
function* routesOf({ app }: TestApp): Generator<string> {
  const path: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false, includeHooks: false }).split('\n')) {
    const match = /^([│ ]*)[├└]── (\S*?)(?: \(([A-Z, ]+)\))?$/.exec(line.trimEnd());
    if (!match) continue;
    const [, indent = '', part = '', methods] = match;
    path.length = indent.length / 4;
    path.push(part);
    for (const method of methods?.split(', ') ?? []) {
      if (method !== 'HEAD') yield `${method} ${path.join('').replace(/(.)\/$/, '$1')}`;
    }
  }
}

test('what is listed as particular is an endpoint', () => {
  const ids = new Set(endpoints.map(({ id }) => id));
  expect(
    [
      ...inTheService,
      ...refusedOnPrinciple,
      ...Object.keys(neededByScenario),
      ...Object.keys(harmlessBodies),
    ].filter((id) => !ids.has(id)),
  ).toEqual([]);
  expect(Object.keys(changesNothing).filter((id) => !ids.has(id))).toEqual([]);
});
