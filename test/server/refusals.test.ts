import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { commandLine } from '../support/command-line.ts';
import { testDatabase } from '../support/database.ts';

const urlOf = (database: string, user?: string): string => {
  const { connectionString, host = '', user: owner } = inject('server');
  if (connectionString) {
    const url = new URL(connectionString);
    url.pathname = `/${database}`;
    if (user) Object.assign(url, { username: user, password: user });
    return url.href;
  }
  return `postgres://${user ?? owner}@${encodeURIComponent(host)}/${database}`;
};

test('burgee serve names all wrong settings, a line each, and exits with 1', async () => {
  const { code, output } = await commandLine(['serve'], { PORT: 'x', LOG_LEVEL: 'y' });
  expect(code).toBe(1);
  expect(output.trim().split('\n')).toEqual([
    expect.stringContaining('LOG_LEVEL must be one of'),
    expect.stringContaining('PORT must be a whole number'),
  ]);
});

test('an unknown command is named, and the exit code is 1', async () => {
  const { code, output } = await commandLine(['sevre']);
  expect(code).toBe(1);
  expect(output).toContain('Unknown command: sevre');
});

/** A server opens and migrates its database as this command does. */
const migrateWith = (settings: Record<string, string>) =>
  commandLine(['migrate'], { LOG_LEVEL: 'error', ...settings });

describe('a database that cannot be used', () => {
  test('is named without its password when the connection is refused', async () => {
    const { code, output } = await migrateWith({
      DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/flags',
    });
    expect(code).toBe(1);
    expect(output).toMatch(
      /^Cannot connect to the database flags on 127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
    expect(output).not.toContain('hunter2');
  });

  test('is named when it does not exist', async () => {
    const { code, output } = await migrateWith({ DATABASE_URL: urlOf('no_such_database') });
    expect(code).toBe(1);
    expect(output).toContain('database "no_such_database" does not exist');
  });

  test('stays unchanged when the extension pg_trgm cannot be created', async () => {
    const { db, name } = await testDatabase('empty');
    const role = `untrusted_${process.pid}`;
    await sql.raw(`create role ${role} login password '${role}'`).execute(db);
    await sql.raw(`grant all on schema public to ${role}`).execute(db);
    const { code, output } = await migrateWith({ DATABASE_URL: urlOf(name, role) });
    await sql.raw(`drop owned by ${role}`).execute(db);
    await sql.raw(`drop role ${role}`).execute(db);
    expect(code).toBe(1);
    expect(output).toContain('The extension pg_trgm cannot be created');
    expect(output).toContain('contrib');
    const { rows } = await sql`select 1 from pg_tables where tablename = 'events'`.execute(db);
    expect(rows).toEqual([]);
  });

  test('is refused when the account may not create tables', async () => {
    const { db, name } = await testDatabase('empty');
    const role = `newcomer_${process.pid}`;
    await sql.raw(`create role ${role} login password '${role}'`).execute(db);
    const { code, output } = await migrateWith({ DATABASE_URL: urlOf(name, role) });
    await sql.raw(`drop role ${role}`).execute(db);
    expect(code).toBe(1);
    expect(output).toMatch(/^The account may not create tables \(permission denied for schema/m);
    expect(output).not.toContain('    at ');
  });

  test('is refused when a newer version migrated it', async () => {
    const { db, name } = await testDatabase();
    await sql`insert into migrations (name) values ('9999-from-the-future')`.execute(db);
    const { code, output } = await migrateWith({ DATABASE_URL: urlOf(name) });
    expect(code).toBe(1);
    expect(output).toContain('migrated by a newer Burgee (9999-from-the-future)');
  });
});
