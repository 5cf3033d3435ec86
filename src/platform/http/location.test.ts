import { expect, test } from 'vitest';
import { testApp } from '../../../test/support/app.ts';

const admin = '/api/admin';
const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];

test('the response to a creation has the URL of the new resource in Location', async () => {
  const { ask } = await testApp();
  for (const [path, payload] of [
    ['segments', { name: 'made', constraints }],
    ['context', { name: 'made' }],
    ['tag-types', { name: 'made' }],
    ['strategies', { name: 'made', parameters: [] }],
    ['environments', { name: 'made', type: 'test' }],
    ['projects', { name: 'Made' }],
    ['projects/default/features', { name: 'made' }],
    ['groups', { name: 'made' }],
    ['user-admin', { email: 'made@example.com', rootRole: 3 }],
    [
      'addons',
      {
        provider: 'webhook',
        enabled: false,
        parameters: { url: 'https://example.com' },
        events: [],
      },
    ],
  ] as const) {
    const response = await ask(`POST ${admin}/${path}`, { payload });
    expect(response.statusCode, response.body).toBe(201);
    const { location } = response.headers;
    const { pathname } = new URL(location ?? '', `http://localhost${admin}/${path}`);
    expect((await ask(`GET ${pathname}`)).statusCode, `${path}: ${location}`).toBe(200);
  }
});
