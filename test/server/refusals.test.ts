import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { commandLine } from '../support/command-line.ts';
import { testDatabase } from '../support/database.ts';
import { runCommand, startServer } from '../support/server-process.ts';

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

test('a command whose output is not read completely ends without an error message', async () => {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../bin/burgee.js', import.meta.url)), 'openapi'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  await once(child, 'close');
  expect(complaint).toBe('');
});

describe('burgee exits with 1 and a clear message', () => {
  test('that lists all invalid settings, one per line', async () => {
    const { code, output } = await runCommand(['serve'], { PORT: 'x', LOG_LEVEL: 'y' });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      expect.stringContaining('LOG_LEVEL must be one of'),
      expect.stringContaining('PORT must be a whole number'),
    ]);
  });

  test('if the port is in use', async () => {
    const { name } = await testDatabase();
    const settings = { DATABASE_URL: urlOf(name) };
    const server = await startServer(settings);
    const { code, output } = await runCommand(['serve'], {
      ...settings,
      PORT: new URL(server.url).port,
    });
    expect(code).toBe(1);
    expect(output).toContain(
      'is in use. Stop the program that uses it, or set PORT to another port.',
    );
  });

  test('if the port of the first start is in use, and the next start prints the credentials', async () => {
    const taken = createServer().listen(0, 'localhost');
    onTestFinished(() => {
      taken.close();
    });
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { name } = await testDatabase('empty');
    const settings = { DATABASE_URL: urlOf(name) };
    const { code, output } = await runCommand(['serve'], { ...settings, PORT: String(port) });
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is in use`);
    expect(output).not.toContain('shown only once');
    const next = await startServer(settings);
    // It has an admin token from its settings, so it prints only the password.
    await expect
      .poll(next.output)
      .toMatch(/Administrator admin, password \(shown only once\): [\w-]{20}/);
  });

  test('for an unknown command', async () => {
    const { code, output } = await runCommand(['sevre'], {});
    expect(code).toBe(1);
    expect(output).toContain(`There is no command 'sevre'`);
  });
});

/** Opens and migrates the database like a server. Only the test of a read-only database starts a server. */
const migrateWith = (settings: Record<string, string>) =>
  commandLine(['migrate'], { LOG_LEVEL: 'error', ...settings });

describe('an unusable database causes a clear message and no changes', () => {
  test('if nothing listens at its address', async () => {
    const { code, output } = await migrateWith({
      DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/flags',
    });
    expect(code).toBe(1);
    expect(output).toMatch(
      /^Cannot connect to the database flags on 127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
    expect(output).not.toContain('hunter2');
  });

  test('if it does not exist', async () => {
    const { code, output } = await migrateWith({ DATABASE_URL: urlOf('no_such_database') });
    expect(code).toBe(1);
    expect(output).toContain('database "no_such_database" does not exist');
  });

  test('if pg_trgm cannot be created', async () => {
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

  test('if the account may not create tables', async () => {
    const { db, name } = await testDatabase('empty');
    const role = `newcomer_${process.pid}`;
    await sql.raw(`create role ${role} login password '${role}'`).execute(db);
    const { code, output } = await migrateWith({ DATABASE_URL: urlOf(name, role) });
    await sql.raw(`drop role ${role}`).execute(db);
    expect(code).toBe(1);
    expect(output).toMatch(/^The account may not create tables \(permission denied for schema/m);
    expect(output).not.toContain('    at ');
  });

  test('if it is read-only', async () => {
    const { db, name } = await testDatabase();
    await sql.raw(`alter database ${name} set default_transaction_read_only = on`).execute(db);
    const { code, output } = await runCommand(['serve'], { DATABASE_URL: urlOf(name) });
    expect(code).toBe(1);
    expect(output).toMatch(/^The database is read-only: it is a standby/m);
    expect(output).not.toContain('    at ');
  });

  test('if it was migrated by a newer version', async () => {
    const { db, name } = await testDatabase();
    await sql`insert into migrations (name) values ('9999-from-the-future')`.execute(db);
    const { code, output } = await migrateWith({ DATABASE_URL: urlOf(name) });
    expect(code).toBe(1);
    expect(output).toContain('migrated by a newer Burgee (9999-from-the-future)');
  });
});

describe('several instances on one database', () => {
  test('can start simultaneously on an empty database, which is migrated and filled once', async () => {
    const { db, name } = await testDatabase('empty');
    const settings = { DATABASE_URL: urlOf(name) };
    const servers = await Promise.all([1, 2, 3].map(() => startServer(settings)));
    for (const server of servers) {
      const response = await server.ask('GET /api/admin/search/events');
      expect(await response.json()).toMatchObject({ total: 12 });
    }
    expect(await db.selectFrom('projects').select('id').execute()).toEqual([{ id: 'default' }]);
    const [one, two] = servers;
    await one?.ask('POST /api/admin/projects', { body: { id: 'shared', name: 'Shared' } });
    expect((await two?.ask('GET /api/admin/projects/shared/overview'))?.status).toBe(200);
  });
});
