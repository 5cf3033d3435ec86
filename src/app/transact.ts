import { type Kysely, sql } from 'kysely';
import { changesAccess, changesTokens } from '../modules/access/gate/index.ts';
import { appendingRecorded, recordedTypes } from '../modules/events/index.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { accessChannel, tokensChannel } from '../platform/db/channels.ts';
import {
  createRehearse,
  createTransact,
  type Database,
  type Transact,
  type Tx,
  transactionOnConnection,
} from '../platform/db/database.ts';

/** Writes the events, and notifies all instances if permissions changed. */
async function closingStatements(tx: Tx) {
  const notices = [
    ...(changesAccess(tx) ? [sql`notify ${sql.id(accessChannel)}`] : []),
    ...(changesTokens(tx) ? [sql`notify ${sql.id(tokensChannel)}`] : []),
  ];
  const appending = await appendingRecorded(tx);
  return { long: appending.slice(0, -1), last: [...notices, ...appending.slice(-1)] };
}

/** The effects of a transaction that caches depend on. */
export interface Committed {
  readonly access: boolean;
  readonly tokens: boolean;
  /** The number of recorded events. */
  readonly events: number;
}

/**
 * Runs a transaction whose last statement writes its events. Every change uses it. `guard` may refuse what was
 * recorded; only requests need one, because the system acts for no one else. `onCommit` runs on this instance
 * before the response is sent; other instances receive NOTIFY. Writing the events clears them, so their types are read
 * first.
 */
export const transactOn = (
  db: Kysely<Database>,
  clock: Clock = systemClock,
  onCommit: (what: Committed) => void = () => undefined,
  guard: (tx: Tx) => Promise<void> = async () => undefined,
): Transact => {
  const changing = new WeakMap<Tx, Committed>();
  const last = async (tx: Tx) => {
    await guard(tx);
    // The guard has refused what can be proposed.
    if (tx.actor.onlyProposes) throw tx.actor.onlyProposes.refusal;
    changing.set(tx, {
      access: changesAccess(tx),
      tokens: changesTokens(tx),
      events: recordedTypes(tx).length,
    });
    return closingStatements(tx);
  };
  return createTransact(db, clock, last, (tx) => onCommit(changing.get(tx) as Committed));
};

/** Like `transactOn`, but rolls back: for dry runs. */
export const rehearseOn = (db: Kysely<Database>, clock: Clock = systemClock): Transact =>
  createRehearse(db, clock, closingStatements);

/** Like `rehearseOn`, within a transaction that the caller began and that goes on afterwards. */
export const rehearseWithin =
  (db: Kysely<Database>, clock: Clock = systemClock): Transact =>
  (actor, work) =>
    db.getExecutor().provideConnection(async (connection) => {
      const tx: Tx = { db: transactionOnConnection(db, connection), actor, now: clock() };
      await sql`savepoint rehearsal`.execute(tx.db);
      const result = await work(tx);
      const { long, last } = await closingStatements(tx);
      for (const statement of [...long, ...last]) await statement.execute(tx.db);
      await sql`rollback to savepoint rehearsal`.execute(tx.db);
      return result;
    });
