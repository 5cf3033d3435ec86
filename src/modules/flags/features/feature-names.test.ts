import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { distinctPathsOf } from '../../../../test/support/faults.ts';
import { featuresOn } from '../../../../test/support/features.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { make } from '../../../../test/support/make.ts';
import { countEvents } from '../../../../test/support/recorded.ts';

let app: TestApp;
let featuresApi: ReturnType<typeof featuresOn>;
beforeAll(async () => {
  app = await testApp();
  featuresApi = featuresOn(app);
});

const features = '/api/admin/projects/default/features';

describe('a feature name in use', () => {
  test('returns 409 in every project and records nothing', async () => {
    await make(app.ask).project('other');
    await featuresApi.create({ name: 'unique' });
    const before = await countEvents(app.db);
    for (const project of ['default', 'other']) {
      const response = await featuresApi.create({ name: 'unique' }, project);
      expect(response.statusCode).toBe(409);
      expect(response.json()).toMatchObject({
        name: 'NameExistsError',
        message: "A feature named 'unique' already exists",
      });
    }
    expect(await countEvents(app.db)).toBe(before);
  });

  test('returns 409 and mentions the archive if the feature is archived', async () => {
    await featuresApi.create({ name: 'resting' });
    await app.ask(`DELETE ${features}/resting`);
    const response = await featuresApi.create({ name: 'resting' });
    expect(response.statusCode).toBe(409);
    expect(response.json().message).toContain('archive');
  });

  test('is case-sensitive', async () => {
    await featuresApi.create({ name: 'Cased' });
    expect((await featuresApi.create({ name: 'cased' })).statusCode).toBe(201);
  });
});

describe('the naming pattern of a project', () => {
  const pattern = '^ok-[a-z]+$';

  test('must match the whole name, and the error contains its example and description', async () => {
    const featureNaming = { pattern, example: 'ok-then', description: 'First ok,\nthen a word' };
    await make(app.ask).project('named', { featureNaming });
    const before = await countEvents(app.db);
    for (const name of ['not-ok-then', 'ok-', 'ok-then2']) {
      const response = await featuresApi.create({ name }, 'named');
      expect(response.statusCode).toBe(400);
      const { name: error, message, details } = response.json();
      expect(error).toBe('PatternError');
      expect(details).toEqual([{ path: '/body/name', message }]);
      for (const part of [name, ...Object.values(featureNaming)]) expect(message).toContain(part);
    }
    expect(await countEvents(app.db)).toBe(before);
    expect((await featuresApi.create({ name: 'ok-fine' }, 'named')).statusCode).toBe(201);
  });

  test('works without an example and a description', async () => {
    await make(app.ask).project('terse', { featureNaming: { pattern: 'x+' } });
    const { message } = (await featuresApi.create({ name: 'yy' }, 'terse')).json();
    expect(message).toBe("The name 'yy' does not match the naming pattern of the project: 'x+'.");
  });

  test('is checked after whether the name is in use', async () => {
    await make(app.ask).project('late', { featureNaming: { pattern: 'late-.*' } });
    await featuresApi.create({ name: 'early' });
    expect((await featuresApi.create({ name: 'early' }, 'late')).statusCode).toBe(409);
  });
});

describe('validating a feature name', () => {
  const validate = (payload: object) => app.ask('POST /api/admin/features/validate', { payload });

  test('returns 200 without a body for a valid name', async () => {
    const response = await validate({ name: 'could-be' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    for (const projectId of ['default', null]) {
      expect((await validate({ name: 'could-be', projectId })).statusCode).toBe(200);
    }
    expect((await featuresApi.create({ name: 'could-be' })).statusCode).toBe(201);
  });

  test('returns the same errors as creating the feature', async () => {
    await make(app.ask).project('strict', { featureNaming: { pattern: 's-.*' } });
    await featuresApi.create({ name: 's-taken' });
    expect((await validate({ name: 's-taken', projectId: 'strict' })).statusCode).toBe(409);
    expect((await validate({ name: 's-taken' })).statusCode).toBe(409);
    expect((await validate({ name: 'a b' })).json().name).toBe('BadDataError');
    const pattern = await validate({ name: 't-free', projectId: 'strict' });
    expect([pattern.statusCode, pattern.json().name]).toEqual([400, 'PatternError']);
    expect((await validate({ name: 't-free' })).statusCode).toBe(200);
  });

  test('rejects a project that is unknown, archived or invisible to the caller', async () => {
    await make(app.ask).project('gone');
    await app.ask('POST /api/admin/projects/archive/gone');
    const blind = limitedApp(app, { sees: new Set(['other']) });
    const answers = [
      await validate({ name: 'free', projectId: 'nosuch' }),
      await validate({ name: 'free', projectId: 'gone' }),
      await blind.ask('POST /api/admin/features/validate', {
        payload: { name: 'free', projectId: 'default' },
      }),
    ];
    for (const answer of answers) {
      expect([answer.statusCode, distinctPathsOf(answer)]).toEqual([400, ['/body/projectId']]);
    }
  });
});
