import type { AppError } from '../errors.ts';

interface ConstraintViolation {
  readonly code: string;
  readonly constraint: string;
}

const isViolation = (error: unknown): error is ConstraintViolation =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('23') &&
  'constraint' in error &&
  typeof error.constraint === 'string';

/**
 * Runs a write and turns the violation of a named constraint into a domain error. The database decides races; this
 * explains the outcome to the caller.
 */
export async function explained<Result>(
  write: Promise<Result>,
  words: Readonly<Record<string, () => AppError>>,
): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    const explain = isViolation(error) ? words[error.constraint] : undefined;
    throw explain ? explain() : error;
  }
}
