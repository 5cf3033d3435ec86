import type { Socket } from 'node:net';
import type pg from 'pg';

/** More texts than the service has; a text that is made anew each time must not fill the server's memory. */
const maxPrepared = 500;

/** Under repeatable read the head of the event chain would be read from an old snapshot. */
export const beginning = 'begin isolation level read committed';

type Ask = (...query: unknown[]) => Promise<unknown>;

/**
 * Makes a connection save work that every transaction repeats. A statement with parameters is prepared
 * once and then only executed: to parse and plan it each time took two thirds of the 8.6 ms that a clone
 * took in the database. And the beginning of a transaction travels with its first statement; on a
 * connection that does not wait for an answer before it sends (`pipeline`) that is one trip less. What is
 * asked at once leaves at once: each message by itself wakes the server, which then has to wait for the next.
 */
export function spareTrips(client: pg.PoolClient, names: Map<string, string>): void {
  const ask = client.query.bind(client) as Ask;
  const hold = holder(client);
  let begins = false;

  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxPrepared) return known;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };

  const asking: Ask = (text, values, ...rest) => {
    if (text === beginning) {
      begins = true;
      return Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [] });
    }
    hold();
    if (begins) {
      begins = false;
      // It can only fail with the connection, and then the statement behind it fails, too.
      ask(beginning).catch(() => undefined);
    }
    const name =
      typeof text === 'string' && Array.isArray(values) && values.length > 0
        ? nameOf(text)
        : undefined;
    return name === undefined ? ask(text, values, ...rest) : ask({ name, text, values }, ...rest);
  };
  client.query = asking as typeof client.query;
}

/** Holds what is written back until the work that is going on has asked for all that it asks for. */
function holder(client: pg.PoolClient): () => void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  let held = false;
  const release = () => {
    held = false;
    stream.uncork();
  };
  return () => {
    if (held) return;
    held = true;
    stream.cork();
    process.nextTick(release);
  };
}
