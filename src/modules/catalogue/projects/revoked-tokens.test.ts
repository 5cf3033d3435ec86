import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { raceRounds } from '../../../../test/support/random-cases.ts';
import { recordedBy } from '../../../../test/support/recorded.ts';

let app: TestApp;
let create: ReturnType<typeof make>;
beforeAll(async () => {
  app = await testApp();
  create = make(app.ask);
});

const tokens = '/api/admin/api-tokens';

async function token(tokenName: string, more: object): Promise<{ id: number; secret: string }> {
  const payload = { tokenName, type: 'client', ...more };
  const response = await app.ask(`POST ${tokens}`, { payload });
  expect(response.statusCode, response.body).toBe(201);
  return response.json();
}

const named = async (name: string) => (await app.ask(`GET ${tokens}/${name}`)).json().tokens;

const isKnown = async (authorization: string) =>
  (await app.ask(`GET ${tokens}`, { headers: { authorization } })).statusCode !== 401;

describe('deleting a project', () => {
  test('revokes tokens for only this project, removes it from other tokens and records both', async () => {
    await create.project('doomed');
    await create.project('kept');
    const alone = await token('alone', { project: 'doomed', environment: 'production' });
    const shared = await token('shared', { projects: ['kept', 'doomed'] });
    const wide = await token('wide', {});
    const other = await token('other', { project: 'kept' });

    const response = await app.ask('DELETE /api/admin/projects/doomed');
    expect(response.statusCode, response.body).toBe(200);
    expect(await recordedBy(app.db, response)).toMatchObject([
      {
        type: 'api-token-deleted',
        project: 'doomed',
        environment: 'production',
        data: null,
        preData: { id: alone.id, tokenName: 'alone', projects: ['doomed'] },
      },
      {
        type: 'api-token-updated',
        project: null,
        environment: 'development',
        data: { id: shared.id, project: 'kept', projects: ['kept'] },
        preData: { id: shared.id, project: 'kept,doomed', projects: ['kept', 'doomed'] },
      },
      { type: 'project-deleted', project: 'doomed' },
    ]);
    expect(await isKnown(alone.secret)).toBe(false);
    for (const { secret } of [shared, wide, other]) expect(await isKnown(secret)).toBe(true);
    expect(await named('alone')).toEqual([]);
    expect(await named('shared')).toMatchObject([{ projects: ['kept'] }]);
  });

  test('leaves no token that could read a new project with the same id', async () => {
    await create.project('again');
    const { secret } = await token('of the first', { project: 'again' });
    await app.ask('DELETE /api/admin/projects/again');
    await create.project('again');
    expect(await isKnown(secret)).toBe(false);
    const listed = (await app.ask('GET /api/admin/projects/again/api-tokens')).json();
    expect(listed).toEqual({ tokens: [] });
  });

  test('revokes a token created concurrently for it, unless its creation fails', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      const project = `raced-${round}`;
      await create.project(project);
      const payload = { tokenName: project, type: 'client', project };
      const [created, removed] = await Promise.all([
        app.ask(`POST ${tokens}`, { payload }),
        app.ask(`DELETE /api/admin/projects/${project}`),
      ]);
      expect(removed.statusCode).toBe(200);
      expect([201, 400], created.body).toContain(created.statusCode);
      expect(await named(project)).toEqual([]);
    }
  });
});

describe('deleting an environment', () => {
  test('revokes and records each of its tokens and no others', async () => {
    await create.environment('staging');
    const gone = await token('gone', { project: 'default', environment: 'staging' });
    const wide = await token('gone too', { environment: 'staging' });
    const kept = await token('kept', { project: 'default' });
    const response = await app.ask('DELETE /api/admin/environments/staging');
    expect(response.statusCode, response.body).toBe(200);
    expect(await recordedBy(app.db, response)).toMatchObject([
      {
        type: 'api-token-deleted',
        project: 'default',
        environment: 'staging',
        preData: { id: gone.id },
      },
      {
        type: 'api-token-deleted',
        project: null,
        environment: 'staging',
        preData: { id: wide.id },
      },
      { type: 'environment-deleted', environment: 'staging' },
    ]);
    expect(await isKnown(gone.secret)).toBe(false);
    expect(await isKnown(wide.secret)).toBe(false);
    expect(await isKnown(kept.secret)).toBe(true);
  });

  test('revokes a token created concurrently for it, unless its creation fails', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      const environment = `raced-${round}`;
      await create.environment(environment);
      const payload = { tokenName: environment, type: 'client', environment };
      const [created, removed] = await Promise.all([
        app.ask(`POST ${tokens}`, { payload }),
        app.ask(`DELETE /api/admin/environments/${environment}`),
      ]);
      expect(removed.statusCode).toBe(200);
      expect([201, 400], created.body).toContain(created.statusCode);
      expect(await named(environment)).toEqual([]);
    }
  });

  test('keeps the tokens if it is only removed from a project, because it can be added again', async () => {
    await create.project('leaving');
    const { secret } = await token('waiting', { project: 'leaving', environment: 'production' });
    await app.ask('DELETE /api/admin/projects/leaving/environments/production');
    expect(await isKnown(secret)).toBe(true);
  });
});
