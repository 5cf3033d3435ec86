import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import { customRole, person } from '../support/people.ts';
import { countEvents, recordedBy } from '../support/recorded.ts';
import { bulkActions, exempt, guarded, type Protected, refused } from './operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const admin = '/api/admin';
let projects = 0;

const protect = (project: string, environment = 'production', changeRequestsEnabled = true) =>
  app.ask(`PUT ${admin}/projects/${project}/environments/${environment}/change-requests/config`, {
    payload: { changeRequestsEnabled },
  });

/** A project with change requests in production, and an editor who owns it. */
async function protectedProject(): Promise<Protected> {
  projects += 1;
  const project = `guarded-${projects}`;
  await make(app.ask).project(project);
  await protect(project);
  const { ask } = await person(app, { rootRole: 2, roles: { [project]: 4, default: 4 } });
  return { project, admin: app.ask, ask };
}

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
) as { paths: Record<string, Record<string, { operationId: string }>> };

test('every operation that is no read is guarded, or exempt for a reason', () => {
  const writing = Object.values(document.paths).flatMap((methods) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'get')
      .map(([, { operationId }]) => operationId),
  );
  const classified = [
    'changeFeaturesInBulk',
    ...[guarded, refused, exempt].flatMap((list) => Object.keys(list)),
  ];
  expect(new Set(classified).size).toBe(classified.length);
  expect(writing.filter((id) => !classified.includes(id))).toEqual([]);
  expect(classified.filter((id) => !writing.includes(id))).toEqual([]);
});

describe('where changes need approval, an operation is refused with a proposal', () => {
  test.each(Object.entries(guarded))('%s', async (_id, attempt) => {
    const given = await protectedProject();
    let events = 0;
    const response = await attempt({
      ...given,
      ask: async (...request) => {
        events = await countEvents(app.db);
        return given.ask(...request);
      },
    });
    expect([response.statusCode, response.json().name], response.body).toEqual([
      403,
      'NoAccessError',
    ]);
    expect(response.json().message).toBe(
      "You need the SKIP_CHANGE_REQUEST permission in the environment 'production' to do this",
    );
    expect(response.json().proposal).toEqual({
      path: `${admin}/projects/${given.project}/environments/production/change-requests`,
      body: expect.anything(),
    });
    expect(await countEvents(app.db)).toBe(events);
  });
});

describe('a bulk change refuses features whose change needs approval, with a proposal', () => {
  test.each(Object.entries(bulkActions))('%s', async (_action, attempt) => {
    const given = await protectedProject();
    const response = await attempt(given);
    expect(response.statusCode, response.body).toBe(200);
    expect(await recordedBy(app.db, response)).toEqual([]);
    const { features, proposals } = response.json();
    expect(features).toMatchObject([
      {
        outcome: 'refused',
        why: expect.stringContaining(
          "SKIP_CHANGE_REQUEST permission in the environment 'production'",
        ),
      },
    ]);
    expect(proposals).toEqual([
      {
        path: `${admin}/projects/${given.project}/environments/production/change-requests`,
        body: [expect.objectContaining({ action: expect.any(String) })],
      },
    ]);
  });
});

describe('what a change request would not outlive is refused without a proposal', () => {
  test.each(Object.entries(refused))('%s', async (_id, attempt) => {
    const given = await protectedProject();
    const response = await attempt(given);
    expect([response.statusCode, response.json().proposal], response.body).toEqual([
      403,
      undefined,
    ]);
    expect(response.json().message).toContain('SKIP_CHANGE_REQUEST');
    await protect(given.project, 'production', false);
    expect((await attempt(given)).statusCode).toBe(200);
  });
});

test('changes elsewhere, and those that change nothing, are not refused', async () => {
  const { project, ask } = await protectedProject();
  await make(ask).feature(`${project}-free`, { project });
  await make(ask).strategy(`${project}-free`, {}, { project, environment: 'development' });
  const path = `${admin}/projects/${project}/features/${project}-free` as const;
  expect((await ask(`POST ${path}/environments/production/off`)).statusCode).toBe(200);
  const description = { payload: { description: 'Free' } };
  expect((await ask(`PUT ${path}`, description)).statusCode).toBe(200);
  const dryRun = await ask(`POST ${path}/changes?dryRun=true`, {
    payload: {
      changes: [{ action: 'updateEnabled', environment: 'production', payload: { enabled: true } }],
    },
  });
  expect(dryRun.statusCode, dryRun.body).toBe(200);
});

test('the permission to skip change requests counts in its environment only', async () => {
  const { project } = await protectedProject();
  await protect(project, 'development');
  const role = await customRole(app, 'custom', [
    { name: 'SKIP_CHANGE_REQUEST', environment: 'development' },
  ]);
  const { ask } = await person(app, { roles: { [project]: [4, role] } });
  const name = `${project}-skipped`;
  await make(app.ask).feature(name, { project });
  const path = `${admin}/projects/${project}/features/${name}` as const;
  const on = (environment: string) => ask(`POST ${path}/environments/${environment}/on`);
  expect((await on('development')).statusCode).toBe(200);
  expect((await on('production')).statusCode).toBe(403);
  // Archiving concerns both.
  expect((await ask(`DELETE ${path}`)).statusCode).toBe(403);
  expect((await app.ask(`DELETE ${path}`)).statusCode).toBe(202);
});

test('a move needs approval in the project that the feature leaves and in the one that it enters', async () => {
  const { project, ask } = await protectedProject();
  await make(app.ask).feature(`${project}-coming`);
  const move = (from: string, feature: string, newProjectId: string) =>
    ask(`POST ${admin}/projects/${from}/features/${feature}/changeProject`, {
      payload: { newProjectId },
    });
  const entering = await move('default', `${project}-coming`, project);
  expect([entering.statusCode, entering.json().proposal.path]).toEqual([
    403,
    `${admin}/projects/${project}/environments/production/change-requests`,
  ]);
  await make(app.ask).feature(`${project}-leaving`, { project });
  expect((await move(project, `${project}-leaving`, 'default')).statusCode).toBe(403);
});

test('a segment without effect in a protected environment can be changed', async () => {
  const { project, ask } = await protectedProject();
  const { id } = await make(app.ask).segment(`${project}-unused`);
  const change = (payload: object) => ask(`PUT ${admin}/segments/${id}`, { payload });
  const name = `${project}-unused`;
  expect((await change({ name, constraints: [] })).statusCode).toBe(204);
  await make(app.ask).feature(name, { project });
  const production = { project, environment: 'production' };
  await make(app.ask).strategy(name, { segments: [id] }, production);
  expect((await change({ name: `${name}-renamed`, constraints: [] })).statusCode).toBe(204);
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
  expect((await change({ name, constraints })).statusCode).toBe(403);
});

test('a segment that only a hidden project uses is refused without naming the project', async () => {
  const { project } = await protectedProject();
  const { id } = await make(app.ask).segment(`${project}-hidden`);
  await make(app.ask).feature(`${project}-hidden`, { project });
  const production = { project, environment: 'production' };
  await make(app.ask).strategy(`${project}-hidden`, { segments: [id] }, production);
  await app.ask(`PUT ${admin}/projects/${project}/settings`, { payload: { mode: 'private' } });
  const outsider = await person(app, { rootRole: 2 });
  const response = await outsider.ask(`PUT ${admin}/segments/${id}`, {
    payload: { name: `${project}-hidden`, constraints: [] },
  });
  expect(response.statusCode).toBe(403);
  expect(response.body).not.toContain(`projects/${project}`);
  expect(response.json()).not.toHaveProperty('proposal');
});

test('enabling change requests waits for changes in progress', async () => {
  const { project, ask } = await protectedProject();
  await protect(project, 'production', false);
  const name = `${project}-raced`;
  await make(app.ask).feature(name, { project });
  const path = `${admin}/projects/${project}/features/${name}/environments/production`;
  const [enabled, changed] = await Promise.all([protect(project), ask(`POST ${path}/on`)]);
  expect(enabled.statusCode).toBe(204);
  const [setting] = await recordedBy(app.db, enabled);
  expect(setting?.type).toBe('change-request-configuration-updated');
  if (changed.statusCode === 403) return;
  // It was committed first.
  const { rows } = await app.db
    .selectFrom('events')
    .where('project', '=', project)
    .where('type', 'in', ['feature-environment-enabled', 'change-request-configuration-updated'])
    .select('type')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
    .then((rows) => ({ rows }));
  expect(rows).toEqual([{ type: 'change-request-configuration-updated' }]);
});
