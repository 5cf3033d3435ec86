import pg from 'pg';
import type { Logger } from '../log.ts';
import { loggableError } from './outage.ts';
import { type Connection, sessionConfig, sessionStatement } from './session.ts';

/** After a reconnect, notifications may have been missed. */
type CallReason = 'notified' | 'reconnected';
type Callback = (reason: CallReason) => void;

export interface Listener {
  /**
   * Calls back after each notification on the channel, and after each reconnect. Returns a function that unsubscribes.
   */
  readonly on: (channel: string, callback: Callback) => () => void;
  /** Runs a statement on the connection, now and after each reconnect, for state of the session. */
  readonly keep: (statement: string) => Promise<void>;
  readonly isConnected: () => boolean;
  /** Resolves when PostgreSQL sends what was subscribed to so far: changes from now on are not missed. */
  readonly subscribed: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const reconnectMs = 500;

/**
 * Opens one connection that listens for notifications of other instances. A notification carries no data and only
 * prompts a read. The callbacks after each reconnect make up for notifications missed while disconnected.
 */
export async function createListener(
  connection: Connection,
  log: Logger,
  { isQuiet = false }: { readonly isQuiet?: boolean } = {},
): Promise<Listener> {
  const callbacks = new Map<string, Set<Callback>>();
  const channels: string[] = [];
  let client: pg.Client | undefined;
  let closed = false;
  /** When the outage began. An outage takes two log lines, however long it lasts: its beginning and its end. */
  let downAt: number | undefined;

  const listening = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`;

  /**
   * Runs statements one at a time, because the driver refuses a second one on a busy connection. Statements lost with
   * the connection are repeated on the next one.
   */
  let asking: Promise<void> = Promise.resolve();
  const ask = (statement: string, complaint: string): Promise<void> => {
    const to = client;
    asking = asking.then(async () => {
      if (to === undefined || to !== client || closed) return;
      await to.query(statement).catch((error) => {
        if (!closed) log.warn(loggableError(error), complaint);
      });
    });
    return asking;
  };

  const connect = async () => {
    const fresh = new pg.Client({
      connectionTimeoutMillis: 10_000,
      ...sessionConfig(connection),
      application_name: 'burgee listener',
      keepAlive: true,
    });
    fresh.on('notification', ({ channel }) => {
      for (const call of callbacks.get(channel) ?? []) call('notified');
    });
    // If the first connection attempt fails, its caller retries.
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
      const first = sessionStatement(connection);
      if (first !== undefined) await fresh.query(first);
      for (const statement of channels) await fresh.query(statement);
      for (const channel of callbacks.keys()) await fresh.query(listening(channel));
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
      if (downAt !== undefined) {
        const seconds = Math.round((performance.now() - downAt) / 1000);
        log[isQuiet ? 'debug' : 'warn']({ seconds }, 'database reconnected');
      }
      downAt = undefined;
      for (const calls of callbacks.values()) for (const call of calls) call('reconnected');
    } catch (error) {
      if (closed) return;
      if (downAt === undefined) {
        log[isQuiet ? 'debug' : 'error'](loggableError(error), 'database unavailable, retrying');
      }
      downAt ??= performance.now();
      setTimeout(reconnect, reconnectMs).unref();
    }
  };

  await connect();
  return {
    on(channel, call) {
      const calls = callbacks.get(channel) ?? new Set();
      calls.add(call);
      if (!callbacks.has(channel)) {
        callbacks.set(channel, calls);
        void ask(listening(channel), `cannot listen on ${channel}`);
      }
      return () => calls.delete(call);
    },
    keep(statement) {
      channels.push(statement);
      // A statement that fails with the connection is repeated on the next one.
      return ask(statement, 'cannot hold what a session holds');
    },
    isConnected: () => client !== undefined,
    subscribed: () => asking,
    async close() {
      closed = true;
      await client?.end().catch(() => undefined);
    },
  };
}
