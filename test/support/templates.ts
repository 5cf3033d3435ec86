import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { prepareInstallation } from '../../src/app/installation.ts';
import { transactOn } from '../../src/app/transact.ts';
import { migrate } from '../../src/migrations/migrate.ts';
import { type Connection, createWritePool } from '../../src/platform/db/connect.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/log.ts';
import { databaseNamed } from './database-named.ts';
import { administratorPassword, adminToken, clientToken, frontendToken } from './tokens.ts';

/** The names of the databases that tests copy. */
export interface Templates {
  /** With all tables, before the first start. */
  readonly migrated: string;
  /** After the first start. */
  readonly prepared: string;
}

/** Makes both databases and returns what drops them. */
export async function makeTemplates(
  connection: Connection,
  templates: Templates,
): Promise<() => Promise<void>> {
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
  return async () => {
    for (const name of Object.values(templates)) {
      await sql.raw(`drop database if exists ${name} with (force)`).execute(admin);
    }
    await admin.destroy();
  };
}
