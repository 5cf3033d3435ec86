import pg from 'pg';
import type { Logger } from '../log.ts';
import { type Connection, sessionConfig } from './session.ts';

export interface Listener {
  /** Calls back after each notification on the channel, and after each reconnect. Returns the end. */
  readonly on: (channel: string, heard: () => void) => () => void;
  /** Runs a statement on the connection, now and after each reconnect: for what a session holds. */
  readonly keep: (statement: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const reconnectMs = 500;

/**
 * One connection that hears what other instances did. A notification only says "look again": what
 * was missed while the connection was down is found by the look that follows each reconnect.
 */
export async function createListener(connection: Connection, log: Logger): Promise<Listener> {
  const heard = new Map<string, Set<() => void>>();
  const kept: string[] = [];
  let client: pg.Client | undefined;
  let closed = false;
  /** An outage is two lines of the log, however long it is: its beginning and its end. */
  let isDown = false;

  const listenTo = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`;

  let statements: Promise<unknown> = Promise.resolve();
  /** Each statement waits for the one before: the driver will refuse a second one on a busy connection. */
  const runInTurn = (on: pg.Client, statement: string, failed: (error: unknown) => void) => {
    statements = statements.then(() => on.query(statement)).catch(failed);
    return statements;
  };

  const connect = async () => {
    const fresh = new pg.Client({
      ...sessionConfig(connection),
      application_name: 'burgee listener',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    fresh.on('notification', ({ channel }) => {
      for (const call of heard.get(channel) ?? []) call();
    });
    // A connection that was never made is tried again by whoever tried to make it.
    let established = false;
    const onLost = () => {
      if (!established) return;
      established = false;
      client = undefined;
      fresh.end().catch(() => undefined);
      if (!closed) setTimeout(reconnect, reconnectMs).unref();
    };
    fresh.on('error', onLost);
    fresh.on('end', onLost);
    try {
      await fresh.connect();
      for (const statement of kept) await fresh.query(statement);
      for (const channel of heard.keys()) await fresh.query(listenTo(channel));
      if (closed) throw new Error('closed meanwhile');
    } catch (error) {
      await fresh.end().catch(() => undefined);
      throw error;
    }
    established = true;
    client = fresh;
  };

  const reconnect = async () => {
    if (closed) return;
    try {
      await connect();
      if (isDown) log.warn('the listening connection is back');
      isDown = false;
      for (const calls of heard.values()) for (const call of calls) call();
    } catch (error) {
      if (closed) return;
      if (!isDown) log.warn({ err: error }, 'the listening connection is down, trying again');
      isDown = true;
      setTimeout(reconnect, reconnectMs).unref();
    }
  };

  await connect();
  return {
    on(channel, call) {
      const calls = heard.get(channel) ?? new Set();
      calls.add(call);
      if (!heard.has(channel)) {
        heard.set(channel, calls);
        if (client) {
          runInTurn(client, listenTo(channel), (error) =>
            log.warn({ err: error, channel }, 'cannot listen'),
          );
        }
      }
      return () => calls.delete(call);
    },
    async keep(statement) {
      kept.push(statement);
      // What fails with the connection is done again with the next one.
      if (!client) return;
      await runInTurn(client, statement, (error) =>
        log.warn({ err: error }, 'cannot hold what a session holds'),
      );
    },
    async close() {
      closed = true;
      await client?.end().catch(() => undefined);
    },
  };
}
