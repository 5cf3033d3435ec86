import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { prepareInstallation } from '../../src/app/installation.ts';
import { transactOn } from '../../src/app/transact.ts';
import { migrate } from '../../src/migrations/migrate.ts';
import { type Connection, createWritePool } from '../../src/platform/db/connect.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { startEmbedded } from '../../src/platform/db/embedded/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { buildCommandLine, buildPage } from './built.ts';
import { fastFolder } from './fast-folder.ts';
import { administratorPassword, adminToken, clientToken, frontendToken } from './tokens.ts';

declare module 'vitest' {
  interface ProvidedContext {
    server: Connection;
    templates: Templates;
  }
}

/** Databases that tests copy. */
interface Templates {
  /** With all tables, before the first start. */
  readonly migrated: string;
  /** After the first start. */
  readonly prepared: string;
}

async function openServer(): Promise<{ connection: Connection; close: () => Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { connection: { connectionString: url }, close: async () => undefined };
  const dataDir = mkdtempSync(join(fastFolder(), 'burgee-test-'));
  const server = await startEmbedded({
    dataDir,
    exclusive: false,
    log: () => undefined,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '600',
      // Hundreds of short-lived databases: they need neither vacuum nor replication.
      autovacuum: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
    },
  });
  return {
    connection: server.connection,
    close: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Folders of tests that use the built UI. */
const pageTests = /\/(test|admin-ui)\/page\//;

/** One server for the whole run, with the databases that test files copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const needsPage = project.vitest.state.getPaths().some((file) => pageTests.test(file));
  const [close] = await Promise.all([
    openDatabases(project),
    buildCommandLine(),
    needsPage ? buildPage() : undefined,
  ]);
  return close;
}

async function openDatabases(project: TestProject): Promise<() => Promise<void>> {
  const { connection, close } = await openServer();
  const templates = {
    migrated: `burgee_migrated_${process.pid}`,
    prepared: `burgee_template_${process.pid}`,
  };
  const poolOn = (name: string) =>
    createWritePool(
      { ...connection, ...databaseNamed(connection, name) },
      createLogger('silent'),
      2,
    );
  const admin = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ ...connection, max: 1 }) }),
  });
  await sql.raw(`create database ${templates.migrated}`).execute(admin);
  const empty = poolOn(templates.migrated);
  await migrate(empty);
  await empty.destroy();
  await sql
    .raw(`create database ${templates.prepared} template ${templates.migrated}`)
    .execute(admin);
  const db = poolOn(templates.prepared);
  await prepareInstallation(transactOn(db), {
    initialTokens: { admin: [adminToken], client: [clientToken], frontend: [frontendToken] },
    encryptionKeys: [],
    signingKeyFile: undefined,
    firstAdministrator: { username: 'admin', password: administratorPassword },
  });
  await db.destroy();
  project.provide('server', connection);
  project.provide('templates', templates);
  return async () => {
    for (const name of Object.values(templates)) {
      await sql.raw(`drop database if exists ${name} with (force)`).execute(admin);
    }
    await admin.destroy();
    await close();
  };
}

export function databaseNamed(connection: Connection, name: string): Connection {
  if (connection.connectionString === undefined) return { ...connection, database: name };
  const url = new URL(connection.connectionString);
  url.pathname = `/${name}`;
  return { connectionString: url.href };
}
