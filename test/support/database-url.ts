import type { Connection } from '../../src/platform/db/connect.ts';

/** What DATABASE_URL would say. A socket's folder goes into the query: it has slashes. */
export const urlOf = ({ connectionString, host, port, user, database }: Connection): string =>
  connectionString ??
  `postgresql://${user}@localhost:${port ?? 5432}/${database}?host=${encodeURIComponent(host ?? '')}`;
