import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { clientToken } from '../../../../test/support/tokens.ts';

let app: TestApp;
let create: ReturnType<typeof make>;
beforeAll(async () => {
  app = await testApp();
  create = make(app.ask);
});

const simple = (payload: object) => app.ask('POST /api/admin/playground', { payload });
const advanced = (payload: object) => app.ask('POST /api/admin/playground/advanced', { payload });

describe('a playground request is rejected', () => {
  const pathsOf = (response: LightMyRequestResponse) => {
    expect(response.statusCode).toBe(400);
    return response.json().details.map(({ path }: { path: string }) => path);
  };

  test('with all validation errors', async () => {
    expect(pathsOf(await simple({}))).toEqual(['/body/environment', '/body/context']);
    const context = { userId: {}, currentTime: 'soon' };
    expect(pathsOf(await simple({ environment: 'development', projects: 'all', context }))).toEqual(
      ['/body/projects', '/body/context/userId', '/body/context/currentTime'],
    );
    expect(pathsOf(await advanced({ environments: [], projects: [1], context: {} }))).toEqual([
      '/body/environments',
      '/body/projects/0',
    ]);
  });

  test('if an environment does not exist', async () => {
    expect(pathsOf(await simple({ environment: 'moon', context: {} }))).toEqual([
      '/body/environment',
    ]);
    const environments = ['development', 'moon', 'mars'];
    expect(pathsOf(await advanced({ environments, context: {} }))).toEqual([
      '/body/environments/1',
      '/body/environments/2',
    ]);
  });

  test('if it is sent with a client token', async () => {
    const response = await app.ask('POST /api/admin/playground', {
      headers: { authorization: clientToken },
      payload: { environment: 'development', context: {} },
    });
    expect(response.statusCode).toBe(403);
  });

  test('if the context has more than 100 properties', async () => {
    const properties = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, '1']));
    const context = { userId: {}, properties };
    expect(pathsOf(await simple({ environment: 'development', context }))).toEqual([
      '/body/context/userId',
      '/body/context/properties',
    ]);
    const { f0, ...fewer } = properties;
    const asked = { environment: 'development', projects: [], context: { properties: fewer } };
    expect((await simple(asked)).statusCode).toBe(200);
  });

  test('if it needs more than 15,000 evaluations, with the numbers', async () => {
    await create.project('much');
    await create.feature('much-flag', { project: 'much' });
    const list = (length: number) => Array.from({ length }, (_, number) => `v${number}`);
    const body = (length: number) => ({
      environments: ['development', 'production'],
      projects: ['much'],
      context: { userId: list(100), plan: list(length) },
    });
    const refused = await advanced(body(76));
    expect(refused.statusCode).toBe(400);
    expect(refused.json().message).toContain(
      'The request needs more than 15000 evaluations: 2 features in 2 environments, each for 7600 combinations of values.',
    );
    const answer = (await advanced(body(75))).json();
    expect(answer.features[0].environments.production).toHaveLength(7500);
  });
});
