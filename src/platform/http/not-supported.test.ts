import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/app.ts';
import { pathsOf } from '../../../test/support/faults.ts';
import { make } from '../../../test/support/make.ts';
import { countEvents } from '../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).environment('extra');
});

const requests: readonly [
  `${'POST' | 'PUT'} ${string}`,
  Record<string, unknown>,
  string,
  unknown,
][] = [
  [
    'POST /api/admin/projects/default/environments',
    { environment: 'extra' },
    'defaultStrategy',
    { name: 'flexibleRollout' },
  ],
  ['POST /api/admin/strategies', { name: 'made', parameters: [] }, 'deprecated', true],
];

describe("an unsupported property of Unleash's API", () => {
  test.each(requests)('is rejected by name: %s %j %s', async (address, payload, name, value) => {
    const before = await countEvents(app.db);
    const response = await app.ask(address, { payload: { ...payload, [name]: value } });
    expect([response.statusCode, pathsOf(response)]).toEqual([400, [`/body/${name}`]]);
    expect(response.json().details[0].message).toContain(`/body/${name} is not supported`);
    expect(await countEvents(app.db)).toBe(before);
  });

  test.each(requests)('is accepted if empty: %s %j %s', async (address, payload, name) => {
    for (const none of [null, false, '', [], {}]) {
      const response = await app.ask(address, { payload: { ...payload, [name]: none } });
      // The second time it already exists.
      expect([200, 201, 409], response.body).toContain(response.statusCode);
      expect(response.body).not.toContain(`"${name}":true`);
    }
  });
});

test('an unknown property is ignored', async () => {
  const payload = { name: 'Free', somethingElse: { of: ['any', 'kind'] } };
  expect((await app.ask('POST /api/admin/projects', { payload })).statusCode).toBe(201);
});
