import { expect, test } from 'vitest';
import { dataDir } from '../support/data-dir.ts';
import { startServer } from '../support/server-process.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** The only test of `npm test` that starts the server as its own process; the others are in serve.proof.ts. */
test('the first start of burgee serve creates a database, prints credentials that work, and SIGTERM ends it with 0', async () => {
  const server = await startServer({
    DATA_DIR: dataDir(),
    INIT_ADMIN_API_TOKENS: '',
    LOG_LEVEL: 'info',
  });
  const printed = /Admin token \(shown only once\): (\S+)/;
  await expect.poll(server.output).toMatch(printed);
  // The log does not push the credentials off the screen.
  await expect.poll(server.output).toContain('"database schema migrated"');
  const lines = server.output().split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(300);
  const [, token = ''] = printed.exec(server.output()) ?? [];
  const [, password = ''] =
    /Administrator admin, password \(shown only once\): ([\w-]{20})\n/.exec(server.output()) ?? [];

  const signedIn = await server.ask('POST /auth/simple/login', {
    body: { username: 'admin', password },
  });
  expect([signedIn.status, signedIn.headers.get('set-cookie')]).toEqual([
    200,
    expect.stringMatching(/^burgee-session=\w+; .*HttpOnly/),
  ]);

  const list = async (path: string) => {
    const response = await server.ask(`GET /api/admin/${path}`, { token });
    return (await response.json()) as Record<string, Listed[]>;
  };
  expect((await list('projects')).projects?.map(({ id }) => id)).toEqual(['default']);
  const { environments } = await list('environments');
  expect(environments?.map(({ name }) => name)).toEqual(['development', 'production']);
  const { events } = await list('search/events?order=asc');
  expect(events?.map(({ type }) => type)).toEqual([
    'environment-created',
    'environment-created',
    ...Array(5).fill('context-field-created'),
    'project-created',
    'tag-type-created',
    'setting-updated',
    'user-created',
    'api-token-created',
  ]);
  expect(await server.end('SIGTERM')).toBe(0);
});
