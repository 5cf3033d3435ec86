import type { Connection } from '../../src/platform/db/connect.ts';

export function databaseNamed(connection: Connection, name: string): Connection {
  if (connection.connectionString === undefined) return { ...connection, database: name };
  const url = new URL(connection.connectionString);
  url.pathname = `/${name}`;
  return { connectionString: url.href };
}
