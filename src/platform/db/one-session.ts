import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import { parseInt8 } from './connect.ts';
import type { Database } from './database.ts';
import { type Connection, sessionConfig, sessionStatement } from './session.ts';

/** One session, for work that mixes statements with COPY in one transaction. */
export interface OneSession {
  readonly client: pg.Client;
  /** The same session for statements. They are sent one after the other. */
  readonly db: Kysely<Database>;
  readonly end: () => Promise<void>;
}

/** Lets one statement at a time have the client: the driver deprecates its own queue. */
function inTurn(client: pg.Client) {
  let last: Promise<void> = Promise.resolve();
  return {
    async connect() {
      const before = last;
      let release: () => void = () => undefined;
      last = new Promise((resolve) => {
        release = resolve;
      });
      await before;
      return { query: client.query.bind(client), release };
    },
    end: async () => undefined,
  };
}

export async function openSession(connection: Connection, name: string): Promise<OneSession> {
  const settings = {
    // A snapshot or a restore takes as long as the data is large.
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    lock_timeout: '10s',
  };
  const client = new pg.Client({
    connectionTimeoutMillis: 10_000,
    ...sessionConfig(connection, settings),
    types: parseInt8,
    application_name: name,
    keepAlive: true,
  });
  // Without a listener, a lost connection would end the process. The statement in progress fails anyway.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new StartError(`Cannot connect to the database: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const first = sessionStatement(connection, settings);
  if (first !== undefined) await client.query(first);
  const pool = inTurn(client) as unknown as pg.Pool;
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { client, db, end: () => client.end().catch(() => undefined) };
}
