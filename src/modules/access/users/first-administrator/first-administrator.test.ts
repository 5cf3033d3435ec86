import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../../test/support/database.ts';
import { prepareInstallation } from '../../../../app/installation.ts';
import { transactOn } from '../../../../app/transact.ts';
import { StartError } from '../../../../platform/start-error.ts';
import { findPersonForSignIn, verifyPassword } from '../index.ts';

const empty = async () => {
  const database = await testDatabase('migrated');
  const start = (firstAdministrator: { username: string; password: string | undefined }) =>
    prepareInstallation(transactOn(database.db), {
      initialTokens: { admin: [], client: [], frontend: [] },
      encryptionKeys: [],
      signingKeyFile: undefined,
      firstAdministrator,
    });
  return { ...database, start };
};

const generated = { username: 'admin', password: undefined };

describe('the first start', () => {
  let database: Awaited<ReturnType<typeof empty>>;
  beforeAll(async () => {
    database = await empty();
  });

  test.each([
    [{ username: 'admin', password: 'unleash4all' }, /^UNLEASH_DEFAULT_ADMIN_PASSWORD is one of/],
    [
      { username: 'captain', password: 'captain' },
      /^UNLEASH_DEFAULT_ADMIN_PASSWORD must have at least 10 .*\nUNLEASH_DEFAULT_ADMIN_PASSWORD must not contain the username/,
    ],
    [{ username: ' words', password: undefined }, /^UNLEASH_DEFAULT_ADMIN_USERNAME must be 1 to/],
  ])('fails for %j with a message and creates nothing', async (input, words) => {
    const { db, start } = database;
    const refused = await start(input).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartError);
    expect((refused as StartError).message).toMatch(words);
    expect(await db.selectFrom('users').select('id').execute()).toEqual([]);
    expect(await db.selectFrom('installation').select('only_row').execute()).toEqual([]);
  });

  test('uses the configured username and password, and does not return the password', async () => {
    const { db, start } = database;
    const password = 'a fine long phrase 17';
    const report = await start({ username: 'captain', password });
    expect(report.generatedPassword).toBeUndefined();
    const person = await findPersonForSignIn(db, 'captain');
    expect(await verifyPassword(person?.passwordHash ?? null, password)).toBe(true);
  });

  test('creates one administrator with a generated password, even with two concurrent starts', async () => {
    const { db, start } = await empty();
    const reports = await Promise.all([start(generated), start(generated)]);
    const passwords = reports.flatMap(({ generatedPassword }) => generatedPassword ?? []);
    expect(passwords).toEqual([expect.stringMatching(/^[\w-]{20}$/)]);
    const person = await findPersonForSignIn(db, 'Admin');
    expect(person).toMatchObject({ username: 'admin', name: 'Administrator', rootRole: 1 });
    expect(await verifyPassword(person?.passwordHash ?? null, passwords[0] ?? '')).toBe(true);
    const events = await db
      .selectFrom('events')
      .where('type', '=', 'user-created')
      .select(['created_by_user_id as by', 'data'])
      .execute();
    expect(events).toEqual([
      {
        by: -1337,
        data: {
          id: person?.id,
          name: 'Administrator',
          username: 'admin',
          email: null,
          rootRole: 1,
        },
      },
    ]);
    expect((await start(generated)).generatedPassword).toBeUndefined();
    expect(await db.selectFrom('users').select('id').execute()).toHaveLength(1);
  });
});
