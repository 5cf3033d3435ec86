import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { group } from '../../../../../test/support/groups.ts';
import { make } from '../../../../../test/support/make.ts';
import { customRole, type Person, person } from '../../../../../test/support/people.ts';
import { accessOf, findAccount, permissions } from '../../gate/index.ts';
import type { ExplainedAccess } from './contract.ts';
import { explainGrants } from './service.ts';

const modes = { open: 'open', fort: 'protected', secret: 'private' } as const;
const projects = ['default', ...Object.keys(modes)];
const environments = [undefined, 'development', 'production'];

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  for (const [id, mode] of Object.entries(modes)) await make(app.ask).project(id, { mode });
});

const explain = async (id: number): Promise<ExplainedAccess> => {
  const response = await app.ask(`GET /api/admin/access/accounts/${id}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};

/** A root role applies to open projects only. The response leaves that to readers, who know the mode of a project. */
const counts = (project: string) => project === 'default' || project === 'open';

function saysThatMay(
  { permissions: grants, isAdministrator }: ExplainedAccess,
  name: string,
  project: string,
  environment: string | undefined,
): boolean {
  if (isAdministrator) return true;
  return grants.some(
    (grant) =>
      grant.permission === name &&
      (grant.project === project || (grant.project === null && counts(project))) &&
      (grant.environment === null || grant.environment === environment),
  );
}

async function everybody(): Promise<Record<string, Person>> {
  const deployer = await customRole(app, 'custom', [
    { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'production' },
    { name: 'CREATE_FEATURE' },
  ]);
  const helper = await customRole(app, 'root-custom', [
    { name: 'CREATE_SEGMENT' },
    { name: 'UPDATE_FEATURE' },
    { name: 'CREATE_FEATURE_STRATEGY', environment: 'development' },
  ]);
  const inGroups = await person(app);
  await group(app, { users: [inGroups.id], rootRole: helper });
  await group(app, { users: [inGroups.id], roles: { secret: 4 } });
  return {
    administrator: await person(app, { rootRole: 1 }),
    editor: await person(app, { rootRole: 2, roles: { fort: deployer } }),
    viewer: await person(app, { roles: { fort: [5, deployer], secret: deployer } }),
    inGroups,
    helper: await person(app, { rootRole: helper }),
    robot: await person(app, { kind: 'service account', rootRole: 2 }),
  };
}

describe('the effective permissions of an account with their sources', () => {
  test('match the decisions of the gate for every permission, project and environment', async () => {
    for (const [who, { id }] of Object.entries(await everybody())) {
      const explained = await explain(id);
      const account = await findAccount(app.db, id);
      if (!account) throw new Error('no such account');
      const { may } = accessOf(account);
      for (const { name, type } of permissions.filter((each) => each.type !== 'root')) {
        for (const project of projects) {
          for (const environment of type === 'environment' ? environments : [undefined]) {
            const where = `${who}: ${name} in ${project} ${environment}`;
            expect(saysThatMay(explained, name, project, environment), where).toBe(
              may(name, project, environment),
            );
          }
        }
      }
    }
  });

  test('contain the role, group and project of each permission', async () => {
    const { inGroups } = await everybody();
    const explained = await explain((inGroups as Person).id);
    const grant = explained.permissions.find(
      ({ permission, project }) => permission === 'DELETE_PROJECT' && project === 'secret',
    );
    const sources = grant?.sources.map((index) => explained.sources[index]);
    expect(sources).toMatchObject([
      { role: { name: 'Owner' }, group: { name: expect.any(String) }, project: 'secret' },
    ]);
    const own = explained.sources.find(({ group: through }) => through === undefined);
    expect(own).toMatchObject({ role: { name: 'Viewer' }, project: null });
  });

  test('are visible to the account itself and to administrators only', async () => {
    const [one, other] = [await person(app, { roles: { secret: 5 } }), await person(app)];
    const own = await one.ask('GET /api/admin/user/access');
    expect(own.json()).toEqual(await explain(one.id));
    const refused = await other.ask(`GET /api/admin/access/accounts/${one.id}`);
    expect(refused.statusCode).toBe(403);
    expect(refused.body).not.toContain('secret');
    expect((await app.ask('GET /api/admin/access/accounts/999999')).statusCode).toBe(404);
  });

  test('are computed in steps per project, so that accounts with thousands of projects do not block others', () => {
    const role = { id: 4, type: 'project' as const, name: 'Owner', description: '' };
    const sources = Array.from({ length: 300 }, (_, number) => ({ role, project: `p${number}` }));
    const steps = explainGrants({
      sources,
      permissionsOf: () => [{ name: 'CREATE_FEATURE' }, { name: 'UPDATE_FEATURE' }],
      isCommonProjectOpen: true,
    });
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count += 1;
    expect(count).toBeGreaterThanOrEqual(2 * sources.length);
    expect(step.value).toHaveLength(2 * sources.length);
    expect(step.value.slice(0, 3)).toMatchObject([
      { permission: 'CREATE_FEATURE', project: 'p0', sources: [0] },
      { permission: 'UPDATE_FEATURE', project: 'p0', sources: [0] },
      { project: 'p1', sources: [1] },
    ]);
  });

  test('return 403 for an API token, which has no roles', async () => {
    expect((await app.ask('GET /api/admin/user/access')).statusCode).toBe(403);
  });
});
