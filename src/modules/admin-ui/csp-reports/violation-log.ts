import { type Clock, hourMs } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/log.ts';
import { createRateLimit } from '../../../platform/rate.ts';
import type { Violation } from './violations.ts';

/** A page with many violations sends them at once. */
const perAddress = { burst: 20, perMinute: 5 };
/** All addresses together: at most 7 MB a day in the log of an instance. */
const total = { burst: 100, perMinute: 20 };
const quietMs = hourMs;
/** More than a page has directives and hosts. */
const maxKinds = 500;

/** Writes violations to the log: one line an hour for each directive and blocked host, within these rates. */
export function createViolationLog(log: Logger, clock: Clock) {
  const ofAll = createRateLimit(total, clock);
  const ofAddress = createRateLimit(perAddress, clock);
  const kinds = new Map<string, { readonly atMs: number; repeated: number }>();

  function write(violation: Violation): void {
    const key = `${violation.directive} ${violation.blocked}`;
    const nowMs = clock().getTime();
    const kind = kinds.get(key);
    if (kind && nowMs - kind.atMs < quietMs) {
      kind.repeated += 1;
      return;
    }
    if (kinds.size >= maxKinds) {
      for (const [other, { atMs }] of kinds) if (nowMs - atMs >= quietMs) kinds.delete(other);
    }
    if (kinds.size >= maxKinds && !kind) return;
    kinds.set(key, { atMs: nowMs, repeated: 0 });
    const before = kind && kind.repeated > 0 ? { repeated: kind.repeated } : {};
    log.warn({ ...violation, ...before }, 'content security policy violated');
  }

  return {
    /** Whether a report of this caller is read. What one sends too much leaves the total to the others. */
    takes: (caller: string): boolean => ofAddress.take(caller) === 0 && ofAll.take('') === 0,
    write,
  };
}
