import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import type { Connection } from '../platform/db/connect.ts';

/** A socket's folder goes into the query: it has slashes. */
const urlOf = ({ connectionString, host, port, user, database }: Connection): string =>
  connectionString ??
  `postgresql://${user}@localhost:${port ?? 5432}/${database}?host=${encodeURIComponent(host ?? '')}`;

let url: string;
beforeAll(async () => {
  url = urlOf((await testDatabase()).connection);
});

/** The command line, as an operator uses it; Vitest's own variables stay outside. */
function token(...args: string[]) {
  const entry = fileURLToPath(new URL('../../bin/burgee.js', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, 'token', ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATABASE_URL: url, LOG_LEVEL: 'error' },
  });
  return { status, stdout, stderr };
}

/** What is listed of the tokens of a name: id, type and reach, and state. */
const listed = (name: string) =>
  token('list')
    .stdout.split('\n')
    .map((line) => line.split('\t'))
    .filter((columns) => columns[1] === name)
    .map(([id, , reach, , state]) => ({ id: String(id), reach, state }));

test('a name that several have is not revoked: an id says which is meant', () => {
  const create = ['create', '--name', 'twin', '--type', 'client', '--project', 'default'];
  expect(token(...create).stdout).toMatch(/^default:development\.[0-9a-f]{56}\n$/);
  expect(token(...create).status).toBe(0);
  const [first, second] = listed('twin');
  expect([first?.reach, first?.state]).toEqual(['client default:development', 'valid']);

  const refused = token('revoke', 'twin');
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain(`their ids are ${first?.id}, ${second?.id}`);

  const revoked = token('revoke', '--id', String(first?.id));
  expect(revoked).toMatchObject({ status: 0, stdout: `Revoked ${first?.id}.\n` });
  expect(listed('twin').map(({ state }) => state)).toEqual(['revoked', 'valid']);

  // The only living one is meant by its name again.
  expect(token('revoke', 'twin')).toMatchObject({ status: 0, stdout: 'Revoked twin.\n' });
  expect(listed('twin').map(({ state }) => state)).toEqual(['revoked', 'revoked']);
  expect(token('revoke', 'twin').stderr).toContain("There is no API token 'twin'");
});

const client = ['create', '--name', 'dead', '--type', 'client'];

test.each([
  [['revoke'], 'Say which token: its NAME, or --id N'],
  [['revoke', 'a', 'b'], 'takes one word, NAME; there are 2.'],
  [['revoke', 'a', '--id', '1'], 'Say which token: its NAME, or --id N'],
  [['revoke', '--id', 'x'], '--id must be a whole number'],
  [['revoke', '--id', '99999999999'], '--id must be a whole number'],
  [['create', '--type', 'client'], '--name is missing.'],
  [[...client, '--environment', 'nope'], "--environment: there is no environment 'nope'"],
  [[...client, '--project', 'nope'], "--project: there is no project 'nope'"],
  [[...client, '--expires', '2020-01-01T00:00:00Z'], '--expires must lie in the future'],
  [[...client, '--expires', 'tomorrow'], '--expires'],
  [['create', '--name', 'dead', '--project', 'default'], '--project must be left out'],
  [['revoke', '--id', '1'], "There is no API token '1'"],
])('%j is refused with a sentence', (args, words) => {
  const { status, stderr } = token(...args);
  expect(status).toBe(1);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('/body');
  expect(listed('dead')).toEqual([]);
});
