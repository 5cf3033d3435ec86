import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  builtInPermissions,
  roleIds,
  typeOfPermission,
} from '../../src/modules/access/gate/index.ts';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import { changesNothing, scenarios } from '../mutations/index.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import { proofSeed } from '../support/random-cases.ts';
import { type Callers, createCallers, type Target } from './callers.ts';
import { expected, type Mode, permissionsOf, permits, type Role, roles } from './oracle.ts';
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
import {
  endpoints,
  namesProject,
  paramsOf,
  placesToLookAt,
  plainRequest,
  projectOf,
  type Request,
  reachesPeople,
} from './requests.ts';

/** The outcome of a response in the terms of the table. */
function outcomeOf(response: LightMyRequestResponse) {
  const name = response.headers['content-type']?.toString().includes('json')
    ? (response.json() as { name?: unknown } | null)?.name
    : undefined;
  if (response.statusCode === 401) return name === 'AuthenticationRequired' ? 401 : `401 ${name}`;
  if (response.statusCode === 403 && name === 'NoAccessError') return '403';
  return response.statusCode < 500 ? 'served' : `${response.statusCode} ${response.body}`;
}

let app: TestApp;
let callers: Callers;
let lookedAt: Readonly<Record<string, string>>;
let now = Date.now();
beforeAll(async () => {
  app = await testApp({ clock: () => new Date(now) });
  callers = createCallers(app);
  await make(app.ask).project('elsewhere');
  await make(app.ask).feature('looked-at');
  await make(app.ask).feature('looked-at-in-other', { project: 'elsewhere' });
  lookedAt = await placesToLookAt(app);
});

/** Waits longer than a second, because the server is not notified of direct changes in the database. */
async function setMode(project: string, mode: Mode | 'private'): Promise<void> {
  await app.db.updateTable('projects').set({ mode }).where('id', '=', project).execute();
  now += 1_001;
}

const isServed = (
  { endpoint, target }: Pick<Walk, 'endpoint' | 'target'>,
  role: Role,
  mode: Mode,
) => expected(endpoint, role, mode, target.projects) === 'served';

/** What decides about a request before its service does. Endpoints with the same class are checked by the same code. */
const classOf = (endpoint: Endpoint): string => {
  const { audience, scope, scopeOf, method } = endpoint;
  return JSON.stringify([permissionsOf(endpoint), audience, scope, scopeOf, method === 'GET']);
};

const isDecidedInService = ({ id, demandedByService }: Endpoint): boolean =>
  demandedByService === true || inTheService.has(id) || id in neededByScenario;

/** The first endpoint of each class, and those whose service decides. `npm run test:proof` asks all as every role. */
const askedAsEveryRole: ReadonlySet<Endpoint> = new Set(
  proofSeed === undefined
    ? [
        ...new Map(endpoints.toReversed().map((each) => [classOf(each), each])).values(),
        ...endpoints.filter(isDecidedInService),
      ]
    : endpoints,
);

const fewRoles: ReadonlySet<Role> = new Set(['anonymous', 'viewer', 'the permission elsewhere']);

/**
 * A change of the same class as another one. Only denied roles send it: they change nothing, so it needs no scenario,
 * and `test/every-mutation-records.test.ts` runs the scenario as an administrator.
 */
const isOnlyDenied = (endpoint: Endpoint): boolean =>
  endpoint.method !== 'GET' && endpoint.id in scenarios && !askedAsEveryRole.has(endpoint);

/** The roles to ask as. For most endpoints: one that is unknown, some that are denied, and one that is permitted. */
function rolesFor(endpoint: Endpoint): readonly Role[] {
  if (askedAsEveryRole.has(endpoint)) return roles;
  if (isOnlyDenied(endpoint)) {
    return roles.filter(
      (role) => fewRoles.has(role) && expected(endpoint, role, 'open', []) !== 'served',
    );
  }
  const permitted = (
    ['client token', 'frontend token', 'owner', 'exactly the permission'] as const
  ).find((role) => expected(endpoint, role, 'open', []) === 'served');
  return roles.filter((role) => fewRoles.has(role) || role === (permitted ?? 'admin'));
}

interface Walk {
  readonly endpoint: Endpoint;
  readonly request: Request;
  readonly target: Target;
  /** The headers for each role. All callers exist before the first change. */
  readonly headers: ReadonlyMap<Role, Record<string, string>>;
  /** The responses to permitted requests, in order. */
  readonly served: Map<Role, LightMyRequestResponse>;
}

const askOnce = ({ request: { line, sent }, headers }: Walk, role: Role) =>
  app.ask(line, { ...sent, headers: { ...sent.headers, ...headers.get(role) } });

/** Sequential if a request may leave nothing to do for the next one, otherwise parallel. */
async function answersTo(
  walk: Walk,
  asking: readonly Role[],
  mode: Mode,
): Promise<readonly (readonly [Role, LightMyRequestResponse])[]> {
  const { endpoint } = walk;
  const ask = async (role: Role) => [role, await askOnce(walk, role)] as const;
  if (endpoint.method === 'GET' || !asking.some((role) => isServed(walk, role, mode))) {
    return Promise.all(asking.map(ask));
  }
  const answers = [];
  for (const role of asking) answers.push(await ask(role));
  return answers;
}

/** Sends the request as each role and compares the responses with the table. */
async function askAs(asking: readonly Role[], mode: Mode, walk: Walk): Promise<void> {
  const { endpoint, target, served } = walk;
  const refused = new Map<unknown, string>();
  for (const [role, response] of await answersTo(walk, asking, mode)) {
    if (refusedForAnotherReason(endpoint, role)) continue;
    const wanted = expected(endpoint, role, mode, target.projects);
    const context = `${endpoint.id} as ${role}, ${mode}: ${response.statusCode} ${response.body.slice(0, 300)}`;
    expect(outcomeOf(response), context).toBe(wanted === '403 ADMIN' ? '403' : wanted);
    if (wanted === 'served') served.set(role, response);
    else refused.set(response.headers['x-request-id'], context);
    if (wanted === '403 ADMIN') expect(response.json().message).toContain('ADMIN');
    if (wanted === '403' && !inTheService.has(endpoint.id)) {
      requireWords(endpoint, target, response.json().message);
    }
  }
  if (endpoint.method !== 'GET') await requireNothingRecorded(refused);
}

function requireWords(endpoint: Endpoint, { environment }: Target, message: string): void {
  const needed = endpoint.audience?.map((each) => each.toUpperCase()) ?? permissionsOf(endpoint);
  expect(message, endpoint.id).toContain(needed.join(' or '));
  if (environment) expect(message, endpoint.id).toContain(`'${environment}'`);
}

async function requireNothingRecorded(refused: ReadonlyMap<unknown, string>): Promise<void> {
  if (refused.size === 0) return;
  const recorded = await app.db
    .selectFrom('events')
    .where('request_id', 'in', [...refused.keys()].map(String))
    .select('request_id')
    .execute();
  expect(recorded.map(({ request_id: id }) => refused.get(id))).toEqual([]);
}

/**
 * Sends the request as every role. Denied roles come first: they change nothing, so that all requests meet the same
 * state. Members and owners follow while the project is protected, and the others once it is open again.
 */
async function walk(endpoint: Endpoint, request: Request): Promise<LightMyRequestResponse> {
  const project = await projectOf(app, endpoint, request);
  const payload = request.sent.payload as { newProjectId?: string } | undefined;
  const target = {
    projects: [project, ...(payload?.newProjectId ? [payload.newProjectId] : [])],
    environment: paramsOf(endpoint, request.line)?.environment,
  };
  const exists = await app.db
    .selectFrom('projects')
    .where('id', '=', project)
    .select('id')
    .executeTakeFirst();
  const own = rolesFor(endpoint);
  const asking = exists ? own : own.filter((each) => !/member|owner|permission/.test(each));
  const inOpen = (role: Role) => isServed({ endpoint, target }, role, 'open');
  const inProtected = (role: Role) => isServed({ endpoint, target }, role, 'protected');
  const headers = new Map<Role, Record<string, string>>();
  for (const role of asking) headers.set(role, await callers.headersOf(role, endpoint, target));
  const walked: Walk = { endpoint, request, target, headers, served: new Map() };
  await askAs(
    asking.filter((role) => !inOpen(role)),
    'open',
    walked,
  );
  if (exists && namesProject(endpoint, request)) {
    await walkUnseen(walked, project);
    await setMode(project, 'protected');
    const onlyInOpen = asking.filter((role) => inOpen(role) && !inProtected(role));
    await askAs(onlyInOpen, 'protected', walked);
    await askAs(asking.filter(inProtected), 'protected', walked);
    await setMode(project, 'open');
    await askAs(onlyInOpen, 'open', walked);
  } else {
    await askAs(asking.filter(inOpen), 'open', walked);
  }
  const isRefused = refusedOnPrinciple.has(endpoint.id) || isOnlyDenied(endpoint);
  if (!isRefused) requireSuccess(endpoint, walked.served);
  return [...walked.served.values()].at(-1) as LightMyRequestResponse;
}

/** Permitted requests succeed: every read, and the first change, because it alters the state for the others. */
function requireSuccess(
  endpoint: Endpoint,
  served: ReadonlyMap<Role, LightMyRequestResponse>,
): void {
  const answers = [...served];
  for (const [role, response] of endpoint.method === 'GET' ? answers : answers.slice(0, 1)) {
    const context = `${endpoint.id} as ${role}: ${response.statusCode} ${response.body.slice(0, 300)}`;
    expect(response.statusCode, context).toBeLessThan(400);
  }
}

/** Users without a role get 404 for everything in a private project. */
async function walkUnseen(walk: Walk, project: string): Promise<void> {
  await setMode(project, 'private');
  for (const role of (['viewer', 'editor'] as const).filter((each) => walk.headers.has(each))) {
    const response = await askOnce(walk, role);
    expect([response.statusCode, response.json().name], walk.endpoint.id).toEqual([
      404,
      'NotFoundError',
    ]);
  }
}

/** Runs a scenario, which sends the tested request once. */
async function lookAt(endpoint: Endpoint): Promise<void> {
  const scenario = scenarios[endpoint.id];
  if (endpoint.method === 'GET' || !scenario || isOnlyDenied(endpoint)) {
    await walk(endpoint, plainRequest(endpoint, lookedAt));
    return;
  }
  let asked = 0;
  await scenario(async (line, sent = {}) => {
    if (!paramsOf(endpoint, line)) return app.ask(line, sent);
    asked += 1;
    return walk(endpoint, { line, sent });
  }, app);
  expect(asked, `${endpoint.id}: how often its scenario asks it`).toBe(1);
}

describe('every route responds to its callers as the table says', () => {
  test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s',
    async (_id, endpoint) => {
      await lookAt(endpoint);
      if (reachesPeople(endpoint)) callers.forget();
    },
  );
});

test('the built-in roles have the listed permissions', () => {
  const permissionsOf = (role: number) =>
    (builtInPermissions.get(role) ?? []).map(({ name }) => name).sort();
  for (const role of ['viewer', 'editor', 'member', 'owner'] as const) {
    expect(permissionsOf(roleIds[role]), role).toEqual([...permits[role]].sort());
  }
  expect(permissionsOf(roleIds.admin)).toEqual(['ADMIN']);
});

test('every permission in a contract exists, and project permissions have a project', () => {
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
      !endpoint.demandedByService &&
      endpoint.permission !== 'none',
  );
  expect(unknown).toEqual([]);
  const demanded = new Set(endpoints.filter((each) => each.demandedByService).map(({ id }) => id));
  expect(nowhere.map(({ id }) => id).sort()).toEqual(
    [...anywhere].filter((id) => !demanded.has(id)).sort(),
  );
});

test('every route of the server is an endpoint, a page or a document', async () => {
  const unnamed = (route: string) => route.replace(/:[^/.]+/g, ':');
  const known = new Set(endpoints.map(({ method, path }) => unnamed(`${method} ${path}`)));
  const others = [...routesOf(app)].filter((route) => !known.has(unnamed(route))).sort();
  expect(others).toEqual([...pages].sort());
  const document = (await app.ask('GET /docs/openapi.json')).json();
  const described = Object.values<Record<string, { operationId?: string }>>(document.paths)
    .flatMap((path) => Object.values(path))
    .map(({ operationId }) => operationId);
  const walked = new Set(endpoints.map(({ id }) => id));
  expect(described.filter((id) => id !== undefined && !walked.has(id)).sort()).toEqual(
    outsideTheApi,
  );
});

/** Every route of the server, read from its router. */
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

test('every exception belongs to an endpoint', () => {
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
