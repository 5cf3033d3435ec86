/** The code of an error of the system or of PostgreSQL; empty where it has none. */
export const errorCodeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** The database is away, restarting, full, or out of connections: nothing is wrong with what was asked. */
export const isOutage = (error: unknown): boolean => {
  const code = errorCodeOf(error);
  return (
    /^(08|53|57P)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '55P03'].includes(code) ||
    (code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect') ||
    (error instanceof Error &&
      /Connection terminated|not queryable|timeout exceeded when trying|timeout expired|accepting connections/.test(
        error.message,
      ))
  );
};
