import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { runCommand, startServer } from '../support/server-process.ts';

test('a command ends silently when its output is closed', async () => {
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

describe('burgee serve', () => {
  test('names the newer version that migrated the database', async () => {
    const { connection, db } = await testDatabase();
    await sql`insert into migrations (name) values ('9999-tomorrow')`.execute(db);
    const { code, output } = await runCommand(['serve'], {
      DATABASE_URL: urlOf(connection),
      PORT: '0',
    });
    expect(code).toBe(1);
    expect(output).toContain(
      'This database was migrated by a newer Burgee (9999-tomorrow). Start that version, or restore a backup from before.\n',
    );
    expect(output).not.toContain('    at ');
  });

  test('names a port that is in use', async () => {
    const { connection } = await testDatabase();
    const settings = { DATABASE_URL: urlOf(connection) };
    const server = await startServer(settings);
    const { code, output } = await runCommand(['serve'], {
      ...settings,
      PORT: new URL(server.url).port,
    });
    expect(code).toBe(1);
    expect(output).toContain(
      'is already in use. Stop the process that uses it, or set PORT to another port.',
    );
  });

  test('prints no credentials when the port is in use, but at the next start', async () => {
    const taken = createServer().listen(0, 'localhost');
    onTestFinished(() => {
      taken.close();
    });
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { connection } = await testDatabase('empty');
    const settings = { DATABASE_URL: urlOf(connection) };
    const { code, output } = await runCommand(['serve'], { ...settings, PORT: String(port) });
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is already in use`);
    expect(output).not.toContain('shown only once');
    const next = await startServer(settings);
    // It has an admin token from its settings, so it prints only the password.
    await expect
      .poll(next.output)
      .toMatch(/Administrator admin, password \(shown only once\): [\w-]{20}/);
  });

  test('names a read-only database', async () => {
    const { connection, db, name } = await testDatabase();
    await sql.raw(`alter database ${name} set default_transaction_read_only = on`).execute(db);
    const { code, output } = await runCommand(['serve'], { DATABASE_URL: urlOf(connection) });
    expect(code).toBe(1);
    expect(output).toMatch(/^The database is read-only: it is a standby/m);
    expect(output).not.toContain('    at ');
  });
});

describe('several instances on one database', () => {
  test('migrate and fill an empty database once when they start at the same time, and all of them serve', async () => {
    const { connection, db } = await testDatabase('empty');
    const settings = { DATABASE_URL: urlOf(connection) };
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
