import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const send = (operation: 'import' | 'validate', data: object) =>
  app.ask(`POST /api/admin/features-batch/${operation}`, {
    payload: { project: 'default', environment: 'development', data },
  });

const strategies = (count: number, more: object) =>
  Array.from({ length: count }, () => ({ name: 'default', featureName: 'x', ...more }));

test('only twenty problems of a body of megabytes are reported, and its check does not run', async () => {
  const values = Array(250).fill(1);
  const constraints = Array(30).fill({ contextName: 'a', operator: 'IN', values });
  const response = await send('validate', {
    features: [],
    featureStrategies: strategies(200, { constraints }),
  });
  expect(response.statusCode).toBe(400);
  expect(response.json().details).toHaveLength(20);
  expect(response.json().details[0].path).toBe(
    '/body/data/featureStrategies/0/constraints/0/values/0',
  );
});

test.each(['import', 'validate'] as const)(
  '%s returns 400 for hundreds of thousands of contradictions',
  async (operation) => {
    const segments = Array.from({ length: 20 }, (_, index) => index + 1);
    const response = await send(operation, {
      features: [],
      featureStrategies: strategies(10_000, { segments }),
    });
    expect([response.statusCode, response.json().name]).toEqual([400, 'BadDataError']);
    expect(response.json().details).toHaveLength(20);
  },
);

test.each([
  [
    'an object with 30,000 keys',
    () =>
      Object.fromEntries(
        Array(30_000)
          .fill(0)
          .map((_, index) => [`key${index}`, index]),
      ),
  ],
  ['450,000 values', () => ({ x: Array(60).fill(Array(7_500).fill(1)) })],
])('%s is rejected before parsing', async (_what, make) => {
  const response = await app.ask('POST /api/admin/projects', { payload: make() });
  expect(response.statusCode).toBe(400);
  expect(response.json().details).toEqual([
    { path: '/body', message: expect.stringMatching(/more than \d+ (entries|values)/) },
  ]);
});
