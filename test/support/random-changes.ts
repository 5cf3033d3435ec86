import fc from 'fast-check';
import { hashSecret, newSecret } from '../../src/platform/secret.ts';
import type { TestApp } from './app.ts';

const admin = '/api/admin';

/** Two projects that everyone sees; features move between them. */
export const openProjects = ['default', 'random-open'] as const;
/** A project that only administrators see. Its feature stays in it. */
export const privateProject = 'random-private';
/** A project without features: in others, changes would need approval afterwards. */
export const approvalProject = 'random-approval';

const movingFeatures = ['random-a', 'random-b', 'random-c'];
const privateFeature = 'random-hidden';
export const featureNames = [...movingFeatures, privateFeature];

/** Numbers that a change chooses with. */
interface Choice {
  readonly a: number;
  readonly b: number;
}

/** What changes refer to, as it is in the database. */
interface Existing {
  readonly features: ReadonlyMap<string, string>;
  readonly strategies: (feature: string, environment: string) => readonly string[];
  readonly segments: readonly number[];
  readonly groups: readonly number[];
  readonly roles: readonly number[];
  readonly users: readonly number[];
}

type Request = readonly [request: Parameters<TestApp['ask']>[0], payload?: object];

const environments = ['development', 'production'] as const;

const at = <Item>(items: readonly Item[], index: number): Item =>
  items[index % items.length] as Item;

const variants = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({
    name: `v${nth}`,
    weight: 1,
    stickiness: 'default',
  }));

const constraints = (value: number) => [
  { contextName: 'userId', operator: 'IN', values: [`${value}`] },
];

/** A feature with its path, and with its path in an environment. */
function featureOf({ features }: Existing, { a, b }: Choice) {
  const name = at(featureNames, a);
  const project = features.get(name) ?? (name === privateFeature ? privateProject : 'default');
  const path = `${admin}/projects/${project}/features/${name}` as const;
  const environment = at(environments, b);
  return { name, project, path, environment, within: `${path}/environments/${environment}` };
}

type Change = (existing: Existing, choice: Choice) => Request;

const inFeature =
  (request: (feature: ReturnType<typeof featureOf>, choice: Choice, it: Existing) => Request) =>
  (it: Existing, choice: Choice): Request =>
    request(featureOf(it, choice), choice, it);

const flexibleRollout = 'flexibleRollout';

/** Requests that change something. Many are refused, as in life. */
const changes: Readonly<Record<string, Change>> = {
  'create feature': inFeature(({ name, project }, { a, b }) => [
    `POST ${admin}/projects/${project}/features`,
    { name, description: `${a}${b}`, ...(b === 1 && { expiresAt: '2030-01-01T00:00:00.000Z' }) },
  ]),
  'update feature': inFeature(({ path }, { a, b }) => [
    `PUT ${path}`,
    { description: `${b}`, type: b > 1 ? 'experiment' : 'release', stale: a === b },
  ]),
  'enable feature': inFeature(({ within }) => [`POST ${within}/on`]),
  'disable feature': inFeature(({ within }) => [`POST ${within}/off`]),
  'add strategy': inFeature(({ within }, { a, b }, { segments }) => [
    `POST ${within}/strategies`,
    {
      name: flexibleRollout,
      parameters: { rollout: `${b * 10}` },
      sortOrder: b,
      constraints: constraints(a),
      segments: segments.slice(0, b % 2),
    },
  ]),
  'change strategy': inFeature(({ name, within, environment }, { b }, { strategies }) => [
    `PUT ${within}/strategies/${at(strategies(name, environment), b)}`,
    { name: flexibleRollout, title: `${b}`, disabled: b === 1 },
  ]),
  'order strategies': inFeature(({ name, within, environment }, _choice, { strategies }) => [
    `POST ${within}/strategies/set-sort-order`,
    strategies(name, environment).map((id, sortOrder) => ({ id, sortOrder })),
  ]),
  'remove strategy': inFeature(({ name, within, environment }, { a }, { strategies }) => [
    `DELETE ${within}/strategies/${at(strategies(name, environment), a)}`,
  ]),
  'set variants': inFeature(({ within }, { a }) => [`PUT ${within}/variants`, variants(a)]),
  'set all variants': inFeature(({ path }, { b }) => [`PUT ${path}/variants`, variants(b)]),
  'add feature tag': inFeature(({ name }, { b }) => [
    `POST ${admin}/features/${name}/tags`,
    { type: 'simple', value: `tag-${b}` },
  ]),
  'remove feature tag': inFeature(({ name }, { b }) => [
    `DELETE ${admin}/features/${name}/tags/simple/tag-${b}`,
  ]),
  'add link': inFeature(({ path }, { b }) => [
    `POST ${path}/link`,
    { url: `https://example.com/${b}` },
  ]),
  'add dependency': inFeature(({ path }, { b }) => [
    `POST ${path}/dependencies`,
    { feature: at(movingFeatures, b), enabled: b > 1 },
  ]),
  'archive feature': inFeature(({ path }) => [`DELETE ${path}`]),
  'revive feature': inFeature(({ name }) => [`POST ${admin}/archive/revive/${name}`]),
  'delete feature': inFeature(({ name }) => [`DELETE ${admin}/archive/${name}`]),
  'move feature': inFeature(({ name, path }, { b }) => [
    `POST ${path}/changeProject`,
    { newProjectId: name === privateFeature ? privateProject : at(openProjects, b) },
  ]),

  'create segment': (_it, { a, b }) => [
    `POST ${admin}/segments`,
    {
      name: `segment-${a}`,
      constraints: constraints(b),
      ...(b === 3 && { project: a > 1 ? privateProject : 'default' }),
    },
  ],
  'update segment': ({ segments }, { a, b }) => [
    `PUT ${admin}/segments/${at(segments, a)}`,
    { name: `segment-${a}${b}`, description: `${b}`, constraints: constraints(a) },
  ],
  'delete segment': ({ segments }, { a }) => [`DELETE ${admin}/segments/${at(segments, a)}`],

  'create project': (_it, { a, b }) => [
    `POST ${admin}/projects`,
    {
      id: `random-${a}`,
      name: `${a}${b}`,
      ...(b === 0 && { description: 'new' }),
      ...(a < 2 && { mode: 'private' }),
    },
  ],
  'update project': (_it, { a, b }) => [
    `PUT ${admin}/projects/${a < 2 ? at(openProjects, a) : `random-${a}`}`,
    {
      name: `Project ${a}${b}`,
      description: `${b}`,
      defaultStickiness: b > 1 ? 'userId' : 'default',
      ...(b === 2 && { featureLimit: 100 }),
    },
  ],
  'archive project': (_it, { a }) => [`POST ${admin}/projects/archive/random-${a}`],
  'revive project': (_it, { a }) => [`POST ${admin}/projects/revive/random-${a}`],
  // Those who don't see all projects see nothing of a deleted one.
  'delete project': (_it, { a }) => [`DELETE ${admin}/projects/random-${a % 2}`],
  'add project environment': (_it, { a }) => [
    `POST ${admin}/projects/${at(openProjects, a)}/environments`,
    { environment: 'production' },
  ],
  'remove project environment': (_it, { a }) => [
    `DELETE ${admin}/projects/${at(openProjects, a)}/environments/production`,
  ],
  'set default strategy': (_it, { a, b }) => [
    `POST ${admin}/projects/${at(openProjects, a)}/environments/development/default-strategy`,
    { name: flexibleRollout, parameters: { rollout: `${b * 10}`, stickiness: 'default' } },
  ],
  'set change request settings': (_it, { a, b }) => [
    `PUT ${admin}/projects/${approvalProject}/environments/${at(environments, a)}/change-requests/config`,
    {
      changeRequestsEnabled: b > 1,
      requiredApprovals: b,
      ...(a > 1 && { rules: { selfApproval: 'nobody', expiresAfterDays: b + 1 } }),
    },
  ],

  'create environment': (_it, { a }) => [
    `POST ${admin}/environments`,
    { name: `random-${a}`, type: 'test', enabled: a > 1 },
  ],
  'update environment': (_it, { a, b }) => [
    `PUT ${admin}/environments/update/random-${a}`,
    { type: b > 1 ? 'test' : 'preproduction', sortOrder: b },
  ],
  'disable environment': (_it, { a }) => [`POST ${admin}/environments/random-${a}/off`],
  'enable environment': (_it, { a }) => [`POST ${admin}/environments/random-${a}/on`],
  'delete environment': (_it, { a }) => [`DELETE ${admin}/environments/random-${a}`],

  'create context field': (_it, { a, b }) => [
    `POST ${admin}/context`,
    { name: `field-${a}`, legalValues: [{ value: `${b}` }], stickiness: b > 1 },
  ],
  'update context field': (_it, { a, b }) => [
    `PUT ${admin}/context/field-${a}`,
    { description: `${b}`, sortOrder: b },
  ],
  'add legal value': (_it, { a, b }) => [
    `POST ${admin}/context/field-${a}/legal-values`,
    { value: `more-${b}` },
  ],
  'delete context field': (_it, { a }) => [`DELETE ${admin}/context/field-${a}`],

  'create strategy type': (_it, { a, b }) => [
    `POST ${admin}/strategies`,
    { name: `type-${a}`, description: `${b}`, parameters: [{ name: 'p', type: 'string' }] },
  ],
  'update strategy type': (_it, { a, b }) => [
    `PUT ${admin}/strategies/type-${a}`,
    { description: `${b}`, parameters: [] },
  ],
  'deprecate strategy type': (_it, { a }) => [`POST ${admin}/strategies/type-${a}/deprecate`],
  'reactivate strategy type': (_it, { a }) => [`POST ${admin}/strategies/type-${a}/reactivate`],
  'delete strategy type': (_it, { a }) => [`DELETE ${admin}/strategies/type-${a}`],

  'create tag type': (_it, { a }) => [
    `POST ${admin}/tag-types`,
    { name: `tags-${a}`, color: '#FF0000' },
  ],
  'update tag type': (_it, { a, b }) => [
    `PUT ${admin}/tag-types/tags-${a}`,
    { description: `${b}`, icon: '#' },
  ],
  'delete tag type': (_it, { a }) => [`DELETE ${admin}/tag-types/tags-${a}`],
  'set lifetime': (_it, { a, b }) => [
    `PUT ${admin}/feature-types/release/lifetime`,
    { lifetimeDays: a === 0 ? null : 40 + b },
  ],

  'create group': ({ users }, { a, b }) => [
    `POST ${admin}/groups`,
    { name: `group-${a}`, users: users.slice(0, b).map((id) => ({ user: { id } })) },
  ],
  'update group': ({ groups, users }, { a, b }) => [
    `PUT ${admin}/groups/${at(groups, a)}`,
    { name: `group-${a}${b}`, users: users.slice(b).map((id) => ({ user: { id } })) },
  ],
  'delete group': ({ groups }, { a }) => [`DELETE ${admin}/groups/${at(groups, a)}`],
  'create role': (_it, { a, b }) => [
    `POST ${admin}/roles`,
    {
      name: `role-${a}`,
      description: `${b}`,
      permissions: [{ name: b > 1 ? 'UPDATE_FEATURE' : 'CREATE_FEATURE' }],
    },
  ],
  'update role': ({ roles }, { a, b }) => [
    `PUT ${admin}/roles/${at(roles, a)}`,
    {
      name: `role-${a}${b}`,
      permissions: [
        { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: at(environments, b) },
        { name: 'UPDATE_FEATURE' },
      ],
    },
  ],
  'delete role': ({ roles }, { a }) => [`DELETE ${admin}/roles/${at(roles, a)}`],
  'add access': ({ users, groups, roles }, { a, b }) => [
    `POST ${admin}/projects/${at(openProjects, b)}/access`,
    { roles: [at([4, 5, ...roles], a)], users: users.slice(0, b), groups: groups.slice(0, a) },
  ],
  'set roles of user': ({ users, roles }, { a, b }) => [
    `PUT ${admin}/projects/${at(openProjects, b)}/users/${at(users, a)}/roles`,
    { roles: [at([4, 5, ...roles], b), 5] },
  ],
  'remove roles of user': ({ users }, { a, b }) => [
    `DELETE ${admin}/projects/${at(openProjects, b)}/users/${at(users, a)}/roles`,
  ],
  'remove roles of group': ({ groups }, { a, b }) => [
    `DELETE ${admin}/projects/${at(openProjects, b)}/groups/${at(groups, a)}/roles`,
  ],
  'change root role': ({ users }, { a, b }) => [
    `PUT ${admin}/user-admin/${at(users, a)}`,
    { rootRole: b > 1 ? 2 : 3 },
  ],
  'set retention': (_it, { a, b }) => [
    `PUT ${admin}/settings/retention`,
    { eventDays: a === 0 ? null : 1000 + b },
  ],
  'set single sign-on': (_it, { a, b }) => [
    `POST ${admin}/auth/oidc/settings`,
    { discoverUrl: `https://example.com/${a}`, clientId: `${b}`, secret: `secret-${a}` },
  ],
};

/** One of the changes, with what it chooses. */
export const randomChange = fc.record({
  kind: fc.constantFrom(...Object.keys(changes)),
  a: fc.integer({ min: 0, max: 3 }),
  b: fc.integer({ min: 0, max: 3 }),
});

export type RandomChange = typeof randomChange extends fc.Arbitrary<infer Value> ? Value : never;

async function readExisting({ db }: Pick<TestApp, 'db'>): Promise<Existing> {
  const strategies = await db
    .selectFrom('feature_strategies')
    .select(['id', 'feature_name as feature', 'environment'])
    .orderBy('id')
    .execute();
  const features = await db.selectFrom('features').select(['name', 'project']).execute();
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
  return {
    features: new Map(features.map(({ name, project }) => [name, project])),
    strategies: (feature, environment) =>
      strategies
        .filter((each) => each.feature === feature && each.environment === environment)
        .map(({ id }) => id),
    segments: idsOf(await db.selectFrom('segments').select('id').orderBy('id').execute()),
    groups: idsOf(await db.selectFrom('groups').select('id').orderBy('id').execute()),
    roles: idsOf(
      await db
        .selectFrom('roles')
        .where('type', '=', 'custom')
        .select('id')
        .orderBy('id')
        .execute(),
    ),
    users: idsOf(
      await db
        .selectFrom('users')
        .where('username', 'like', 'random-%')
        .where('deleted_at', 'is', null)
        .select('id')
        .orderBy('id')
        .execute(),
    ),
  };
}

type Ask = TestApp['ask'];

/** How a user whom the API created asks. */
async function asUser(
  { ask, db }: Pick<TestApp, 'ask' | 'db'>,
  username: string,
  rootRole: number,
): Promise<{ readonly id: number; readonly ask: Ask }> {
  const payload = { username, rootRole, sendEmail: false };
  const created = await ask(`POST ${admin}/user-admin`, { payload });
  if (created.statusCode >= 300) throw new Error(created.body);
  const { id } = created.json();
  const token = `user:${newSecret()}`;
  await db
    .insertInto('personal_tokens')
    .values({
      user_id: id,
      description: 'changes',
      secret_hash: hashSecret(token),
      created_at: new Date(),
      expires_at: null,
    })
    .execute();
  return {
    id,
    ask: (request, options) => ask(request, { ...options, headers: { authorization: token } }),
  };
}

/**
 * Creates the projects and users that the changes are about. Returns how an editor asks, and a member of the private
 * project.
 */
export async function prepareRandomChanges(
  app: Pick<TestApp, 'ask' | 'db'>,
): Promise<{ readonly askAsEditor: Ask; readonly askAsInsider: Ask }> {
  const { ask } = app;
  const created = [
    await ask(`POST ${admin}/projects`, { payload: { id: openProjects[1], name: 'Open' } }),
    await ask(`POST ${admin}/projects`, { payload: { id: approvalProject, name: 'Approval' } }),
    await ask(`POST ${admin}/projects`, {
      payload: { id: privateProject, name: 'Private', mode: 'private' },
    }),
  ];
  for (const nth of [0, 1, 2]) {
    const payload = { username: `random-${nth}`, rootRole: 3, sendEmail: false };
    created.push(await ask(`POST ${admin}/user-admin`, { payload }));
  }
  const editor = await asUser(app, 'changes-editor', 2);
  const insider = await asUser(app, 'changes-insider', 3);
  created.push(
    await ask(`POST ${admin}/projects/${privateProject}/access`, {
      payload: { roles: [5], groups: [], users: [insider.id] },
    }),
  );
  const failed = created.find(({ statusCode }) => statusCode >= 300);
  if (failed) throw new Error(failed.body);
  return { askAsEditor: editor.ask, askAsInsider: insider.ask };
}

/** Makes a change. Returns whether it was made. */
export async function makeChange(
  { db, ask }: Pick<TestApp, 'db' | 'ask'>,
  { kind, a, b }: RandomChange,
): Promise<boolean> {
  const [request, payload] = (changes[kind] as Change)(await readExisting({ db }), { a, b });
  const { statusCode, body } = await ask(request, payload ? { payload } : {});
  if (statusCode >= 500) throw new Error(body);
  return statusCode < 300;
}
