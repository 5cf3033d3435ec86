import { errorCodeOf } from '../../../platform/db/outage.ts';
import { AppError } from '../../../platform/errors.ts';

/** Codes of PostgreSQL for values that a column or a constraint does not take. */
const refusedValue = /^2[23]/;

/**
 * Why a thing cannot come: our rules refuse it, or the database does. One odd thing must not keep everything else from
 * coming. Undefined: something else has failed.
 */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof AppError) {
    const reasons = error.details.map(({ message }) => message);
    return reasons.length > 0 ? reasons.join('; ') : error.message;
  }
  return error instanceof Error && refusedValue.test(errorCodeOf(error))
    ? error.message
    : undefined;
}
