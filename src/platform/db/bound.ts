import {
  type DatabaseConnection,
  DummyDriver,
  type Kysely,
  PostgresDialect,
  Transaction,
} from 'kysely';
import type { Database } from './database.ts';

/** A transaction leads to no other connection; Kysely wants to be told of a way there nevertheless. */
const nowhere = new PostgresDialect({
  pool: () => Promise.reject(new Error('a transaction has its connection')),
});
const elsewhere = { config: { dialect: nowhere }, dialect: nowhere, driver: new DummyDriver() };

/**
 * What asks by one connection alone, and sends each statement at once: statements between which nobody waits travel
 * in one message, and are answered in their order. Kysely's own way holds each back until the one before is answered.
 */
export const bindTo = (
  db: Kysely<Database>,
  connection: DatabaseConnection,
): Transaction<Database> =>
  new Transaction({
    ...elsewhere,
    executor: db.getExecutor().withConnectionProvider({
      provideConnection: (consume) => consume(connection),
    }),
  });
