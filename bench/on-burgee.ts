import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { openDatabase } from '../src/app/database.ts';
import { createLogger } from '../src/platform/log.ts';
import type { Service } from './load.ts';
import { adminToken, startBurgee } from './process.ts';
import { temporaryFolder } from './rows/starts.ts';

/** A new Burgee, and its database. */
export interface Fresh {
  readonly service: Service;
  readonly pid: number;
  readonly pool: pg.Pool;
  /** The settings of another instance. */
  readonly shared: Readonly<Record<string, string>>;
}

/** Starts a new Burgee for a few rows, and removes it afterwards. */
export async function onFreshBurgee<Result>(
  work: (fresh: Fresh) => Promise<Result>,
): Promise<Result> {
  const dataDir = temporaryFolder();
  const ENCRYPTION_KEY = randomBytes(32).toString('hex');
  const server = await startBurgee(dataDir, { ENCRYPTION_KEY });
  try {
    const database = await openDatabase({ databaseUrl: undefined, dataDir }, createLogger('warn'), {
      exclusive: false,
    });
    const pool = new pg.Pool({ ...database.connection, max: 2 });
    try {
      const service = { url: server.url, token: adminToken };
      const { host = '', port, user, database: name } = database.connection;
      const DATABASE_URL = `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
      return await work({
        service,
        pid: server.pid,
        pool,
        shared: { DATABASE_URL, ENCRYPTION_KEY },
      });
    } finally {
      await pool.end();
      await database.close();
    }
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
