import type { Connection } from '../../src/platform/db/connect.ts';

/** The value for DATABASE_URL. The folder of a socket goes into the query, because it contains slashes. */
export const urlOf = ({ connectionString, host, port, user, database }: Connection): string =>
  connectionString ??
  `postgresql://${user}@localhost:${port ?? 5432}/${database}?host=${encodeURIComponent(host ?? '')}`;
