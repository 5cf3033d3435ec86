import { beforeAll, describe, expect, test } from 'vitest';
import { permissions } from '../../src/modules/access/gate/index.ts';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import { customRole, person } from '../support/people.ts';
import { recordedBy } from '../support/recorded.ts';
import { endpoints, type Request } from './requests.ts';

/** A project that only its members can change. */
const project = 'fort';
const [editor, owner, member] = [2, 4, 5];

let app: TestApp;
let now = Date.now();
beforeAll(async () => {
  app = await testApp({ clock: () => new Date(now) });
  await make(app.ask).project(project, { mode: 'protected' });
  await make(app.ask).project('open');
});

async function setMode(mode: 'protected' | 'private'): Promise<void> {
  await app.db.updateTable('projects').set({ mode }).where('id', '=', project).execute();
  // The server is not notified of direct changes in the database, so its caches must expire.
  now += 1_001;
}

let made = 0;
const nextName = (): string => {
  made += 1;
  return `thing-${made}`;
};

async function newFeature(more: object = {}): Promise<string> {
  const name = nextName();
  await make(app.ask).feature(name, { project, ...more });
  return name;
}
const newSegment = async (more: object) => (await make(app.ask).segment(nextName(), more)).id;
async function newToken(projects: readonly string[]): Promise<number> {
  const payload = { tokenName: nextName(), type: 'client', projects };
  return (await app.ask('POST /api/admin/api-tokens', { payload })).json().id;
}

const segments = '/api/admin/segments';
const tokens = '/api/admin/api-tokens';

/** A request for something in the project whose path does not name the project. */
interface OwnPath {
  readonly id: string;
  readonly asked: () => Promise<Request>;
  /** The project role that permits it, beside a root role with all permissions in open projects. */
  readonly role: number;
  /** The status for users who cannot see the project. */
  readonly unseen: 400 | 404;
}

const ofProjects: Readonly<Record<string, OwnPath>> = {
  'create a segment': {
    id: 'createSegment',
    asked: async () => ({
      line: `POST ${segments}`,
      sent: { payload: { name: nextName(), project, constraints: [] } },
    }),
    role: member,
    unseen: 400,
  },
  'change a segment': {
    id: 'updateSegment',
    asked: async () => ({
      line: `PUT ${segments}/${await newSegment({ project })}`,
      sent: { payload: { name: nextName(), constraints: [] } },
    }),
    role: member,
    unseen: 404,
  },
  'move a segment of the open project into it': {
    id: 'updateSegment',
    asked: async () => ({
      line: `PUT ${segments}/${await newSegment({ project: 'open' })}`,
      sent: { payload: { name: nextName(), project, constraints: [] } },
    }),
    role: member,
    unseen: 400,
  },
  'delete a segment': {
    id: 'removeSegment',
    asked: async () => ({
      line: `DELETE ${segments}/${await newSegment({ project })}`,
      sent: {},
    }),
    role: member,
    unseen: 404,
  },
  'change the segments of a strategy': {
    id: 'updateFeatureStrategySegments',
    asked: async () => {
      const { id } = await make(app.ask).strategy(await newFeature(), {}, { project });
      const payload = {
        projectId: project,
        environmentId: 'development',
        strategyId: id,
        segmentIds: [await newSegment({ project })],
      };
      return { line: `POST ${segments}/strategies`, sent: { payload } };
    },
    role: member,
    unseen: 400,
  },
  'create a token': {
    id: 'createApiToken',
    asked: async () => ({
      line: `POST ${tokens}`,
      sent: { payload: { tokenName: nextName(), type: 'frontend', project } },
    }),
    role: owner,
    unseen: 400,
  },
  'create a token for it and the open project': {
    id: 'createApiToken',
    asked: async () => ({
      line: `POST ${tokens}`,
      sent: { payload: { tokenName: nextName(), type: 'client', projects: ['open', project] } },
    }),
    role: owner,
    unseen: 400,
  },
  'change the expiry of a token': {
    id: 'updateApiToken',
    asked: async () => ({
      line: `PUT ${tokens}/${await newToken(['open', project])}`,
      sent: { payload: { expiresAt: '2040-01-01T00:00:00Z' } },
    }),
    role: owner,
    unseen: 404,
  },
  'revoke a token': {
    id: 'deleteApiToken',
    asked: async () => ({ line: `DELETE ${tokens}/${await newToken([project])}`, sent: {} }),
    role: owner,
    unseen: 404,
  },
  'delete a tag that its features use': {
    id: 'deleteTag',
    asked: async () => {
      const value = nextName();
      await newFeature({ tags: [{ type: 'simple', value }] });
      return { line: `DELETE /api/admin/tags/simple/${value}`, sent: {} };
    },
    role: member,
    unseen: 404,
  },
  'import features': {
    id: 'importToggles',
    asked: async () => ({
      line: 'POST /api/admin/features-batch/import',
      sent: {
        payload: {
          project,
          environment: 'development',
          data: { features: [{ name: nextName() }], featureStrategies: [] },
        },
      },
    }),
    role: member,
    unseen: 404,
  },
};

/** Endpoints of resources that belong to the installation, not to a project, with the reason. */
const ofTheInstallation: readonly (readonly [what: RegExp, why: string])[] = [
  [/ContextField|^validate$/, 'names and legal values; SDKs evaluate without them'],
  [/Strategy$/, 'the catalogue of types; one that is used is not deleted'],
  [/TagType$/, 'one that is used is not deleted'],
  [/^createTag$/, 'a word; to give it to a feature is another request'],
  [/^(create|validate)Project$/, 'there is no such project yet'],
  [/Addon|IntegrationEvent/, 'tells what whoever saved it sees'],
  [
    /^getEventDeliveries$/,
    'of an event that one sees; to whom it was told is no secret of its project',
  ],
  [/Application$/, 'a program, whatever it reads; what it tells of itself it tells again'],
  [/UnknownFlag$/, 'a name that no feature has; it is found only by who sees who asks for it'],
  [/Role|^getPermissions/, 'what roles there are; where they are held is told by project'],
  [/Maintenance|Cors|UiConfig|Settings/, 'the installation itself'],
  [/^validateImport$/, 'a plan, which changes nothing, of a project that one sees'],
  [/^getLoginHistory$/, 'who signed in, and from where'],
  [/ApiTokens/, 'a list, which leaves out what may not be read'],
];

const names = (permission: Endpoint['permission']) =>
  typeof permission === 'string' ? [permission] : permission;

/** Endpoints with a permission that others than administrators can have, and without a project. */
const unplaced = endpoints.filter(
  ({ permission, scope, scopeOf, audience }) =>
    !scope &&
    !scopeOf &&
    !audience &&
    names(permission).some((name) => !['none', 'public', 'ADMIN'].includes(name)),
);

test('every endpoint with a permission but no project in its path is classified', () => {
  const known = new Set(Object.values(ofProjects).map(({ id }) => id));
  const said = unplaced.map(({ id }) => [
    id,
    Number(known.has(id)) + ofTheInstallation.filter(([what]) => what.test(id)).length,
  ]);
  expect(said.filter(([, times]) => times !== 1)).toEqual([]);
  const ids = new Set(endpoints.map(({ id }) => id));
  expect([...known].filter((id) => !ids.has(id))).toEqual([]);
  expect(ofTheInstallation.filter(([what]) => ![...ids].some((id) => what.test(id)))).toEqual([]);
});

describe('in a protected or private project', () => {
  test.each(Object.entries(ofProjects))(
    'only members can %s',
    async (_what, { id, asked, role, unseen }) => {
      const { line, sent } = await asked();
      // Includes project and environment permissions, which apply in open projects, but not here.
      const everything = permissions
        .map(({ name }) => ({ name }))
        .filter(({ name }) => name !== 'ADMIN');
      const rootRole = await customRole(app, 'root-custom', everything);
      const outsiders = [
        await person(app, { rootRole }),
        await person(app, { rootRole, kind: 'service account' }),
        await person(app, { rootRole, roles: { open: owner } }),
        // Editors can only list tokens.
        ...(id.endsWith('ApiToken') ? [] : [await person(app, { rootRole: editor })]),
      ];
      for (const [mode, wanted] of [
        ['protected', [403, 'NoAccessError']],
        ['private', [unseen, unseen === 404 ? 'NotFoundError' : 'BadDataError']],
      ] as const) {
        await setMode(mode);
        for (const { ask } of outsiders) {
          const response = await ask(line, sent);
          expect([response.statusCode, response.json().name], response.body).toEqual(wanted);
          expect(await recordedBy(app.db, response)).toEqual([]);
        }
      }
      const insider = await person(app, {
        rootRole,
        roles: { open: owner, [project]: role },
      });
      const response = await insider.ask(line, sent);
      expect(response.statusCode, response.body).toBeLessThan(300);
      expect(await recordedBy(app.db, response)).not.toEqual([]);
      await setMode('protected');
    },
  );
});
