import { beforeAll, expect, test } from 'vitest';
import { commandLine } from '../../test/support/command-line.ts';
import { testDatabase } from '../../test/support/database.ts';
import { urlOf } from '../../test/support/database-url.ts';

let url: string;
let db: Awaited<ReturnType<typeof testDatabase>>['db'];
beforeAll(async () => {
  const made = await testDatabase();
  url = urlOf(made.connection);
  db = made.db;
});

const token = (...args: string[]) =>
  commandLine(['token', ...args], { DATABASE_URL: url, LOG_LEVEL: 'error' });

/** Lists the tokens of a name: id, type, scope and state. */
const listed = async (name: string) =>
  (await token('list')).stdout
    .split('\n')
    .map((line) => line.split('\t'))
    .filter((columns) => columns[1] === name)
    .map(([id, , reach, , state]) => ({ id: String(id), reach, state }));

test('revoking a name that several tokens have fails and lists their ids', async () => {
  const create = ['create', '--name', 'twin', '--type', 'client', '--project', 'default'];
  expect((await token(...create)).stdout).toMatch(/^default:development\.[0-9a-f]{56}\n$/);
  expect((await token(...create)).code).toBe(0);
  const [first, second] = await listed('twin');
  expect([first?.reach, first?.state]).toEqual(['client default:development', 'active']);

  const refused = await token('revoke', 'twin');
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain(`their IDs are ${first?.id}, ${second?.id}`);

  const revoked = await token('revoke', '--id', String(first?.id));
  expect(revoked).toMatchObject({ code: 0, stdout: `Revoked ${first?.id}.\n` });
  expect((await listed('twin')).map(({ state }) => state)).toEqual(['revoked', 'active']);

  // The only valid token can be revoked by name again.
  expect(await token('revoke', 'twin')).toMatchObject({ code: 0, stdout: 'Revoked twin.\n' });
  expect((await listed('twin')).map(({ state }) => state)).toEqual(['revoked', 'revoked']);
  expect((await token('revoke', 'twin')).stderr).toContain("API token 'twin' not found");
});

test('control characters in a stored name are escaped', async () => {
  await token('create', '--name', 'evil');
  const name = '\x1b[2J\u202eevil';
  await db.updateTable('api_tokens').set({ name }).where('name', '=', 'evil').execute();
  expect(await listed('\\u{1b}[2J\\u{202e}evil')).toHaveLength(1);
  const { stderr } = await token('revoke', `${name}?`);
  expect(stderr).toContain('\\u{1b}[2J');
  expect(stderr).not.toContain('\x1b');
});

const client = ['create', '--name', 'dead', '--type', 'client'];

test.each([
  [['revoke'], 'Specify one token by NAME, or by --id'],
  [['revoke', 'a', 'b'], 'expects one argument (NAME), got 2.'],
  [['revoke', 'a', '--id', '1'], 'Specify one token by NAME, or by --id'],
  [['revoke', '--id', 'x'], '--id must be a whole number'],
  [['revoke', '--id', '99999999999'], '--id must be a whole number'],
  [['create', '--type', 'client'], 'Missing required option: --name'],
  [[...client, '--environment', 'nope'], "--environment: environment 'nope' not found"],
  [[...client, '--project', 'nope'], "--project: project 'nope' not found"],
  [[...client, '--expires', '2020-01-01T00:00:00Z'], '--expires must be in the future'],
  [[...client, '--expires', 'tomorrow'], '--expires'],
  [['create', '--name', 'dead', '--project', 'default'], '--project must be omitted'],
  [['revoke', '--id', '1'], "API token '1' not found"],
])('burgee token rejects %j with a clear message', async (args, words) => {
  const { code, stderr } = await token(...args);
  expect(code).toBe(1);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('/body');
  expect(await listed('dead')).toEqual([]);
});
