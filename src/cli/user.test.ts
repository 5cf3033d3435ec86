import { beforeAll, describe, expect, test } from 'vitest';
import { commandLine } from '../../test/support/command-line.ts';
import { testDatabase } from '../../test/support/database.ts';
import { urlOf } from '../../test/support/database-url.ts';
import { runCommand } from '../../test/support/server-process.ts';
import { administratorPassword } from '../../test/support/tokens.ts';
import {
  findPasswordLink,
  findPersonForSignIn,
  verifyPassword,
} from '../modules/access/users/index.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});

const settings = () => ({
  DATABASE_URL: urlOf(database.connection),
  BASE_URL: 'https://flags.example.com',
  LOG_LEVEL: 'error',
});

const user = (...args: string[]) => commandLine(['user', ...args], settings());

const listed = async () =>
  (await user('list')).output
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t').slice(1));

describe('burgee user', () => {
  test('creates a user with the given role and prints a link to set a password', async () => {
    const names = ['--email', 'ada@example.com', '--username', 'ada', '--name', 'Ada L.'];
    const { code, output } = await user('create', ...names, '--role', 'Editor');
    expect(code).toBe(0);
    const [, secret = ''] =
      /^https:\/\/flags\.example\.com\/new-user\?token=([0-9a-f]{56})\n$/.exec(output) ?? [];
    const ada = await findPersonForSignIn(database.db, 'ada@example.com');
    expect(ada).toMatchObject({ username: 'ada', name: 'Ada L.', rootRole: 2, passwordHash: null });
    expect(await findPasswordLink(database.db, secret, new Date())).toMatchObject({
      person: { id: ada?.id },
      purpose: 'invitation',
    });
  });

  test('lists all users with the name of their role', async () => {
    expect((await user('create', '--username', 'chief', '--role', 'Admin')).code).toBe(0);
    const people = await listed();
    expect(people).toContainEqual(['admin', 'Administrator', 'Admin', 'never']);
    expect(people).toContainEqual(['chief', '', 'Admin', 'never']);
    expect((await user('create', '--email', 'v@example.com', '--role', 'Viewer')).code).toBe(0);
    expect(await listed()).toContainEqual(['v@example.com', '', 'Viewer', 'never']);
    // Also as a process, which checks that the bundle is complete.
    const { output } = await user('list');
    expect(await runCommand(['user', 'list'], settings())).toEqual({ code: 0, output });
  });

  test('prints a link to reset a password, and the old password works until it is used', async () => {
    const { code, output } = await user('reset', 'ADMIN');
    expect(code).toBe(0);
    const [, secret = ''] =
      /^https:\/\/flags\.example\.com\/reset-password\?token=([0-9a-f]{56})\n$/.exec(output) ?? [];
    const admin = await findPersonForSignIn(database.db, 'admin');
    expect(await findPasswordLink(database.db, secret, new Date())).toMatchObject({
      person: { id: admin?.id },
      purpose: 'reset',
    });
    expect(await verifyPassword(admin?.passwordHash ?? null, administratorPassword)).toBe(true);
  });
});

describe('burgee user fails with a clear message and creates no user', () => {
  const roles = 'Available roles: Admin, Editor, Viewer.';
  test.each([
    [[], 'burgee user list '],
    [['rename'], 'Unknown command: user rename'],
    [['list', 'all'], 'expects no arguments except options'],
    [['create', '--role', 'Viewer'], 'Missing required option: --email or --username'],
    [['create', '--username', 'x'], 'Missing required option: --role'],
    [['create', '--username', 'x', '--role', 'Owner'], `Root role 'Owner' not found. ${roles}`],
    [['create', '--username', 'x', '--role', '1'], `Root role '1' not found. ${roles}`],
    [['create', '--username', 'x', '--rol', 'Admin'], "Unknown option '--rol'"],
    [['create', '--email', 'x', '--role', 'Viewer'], '--email must be an email address'],
    [['create', '--username', 'admin', '--role', 'Viewer'], 'is already in use'],
    [['reset'], 'Missing argument: NAME'],
    [['reset', 'admin', 'x'], 'expects one argument (NAME), got 2.'],
    [['reset', 'nobody'], "User 'nobody' not found"],
  ])('for %j', async (args, words) => {
    const { code, output } = await user(...args);
    expect([code, output]).toEqual([1, expect.stringContaining(words)]);
    expect(await findPersonForSignIn(database.db, 'x')).toBeUndefined();
  });
});
