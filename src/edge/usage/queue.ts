import { randomUUID } from 'node:crypto';
import type { Logger } from '../../platform/log.ts';
import type { Scope } from '../hub/scopes.ts';
import type { Upstream } from '../upstream/requests.ts';
import type { BulkBody, ScopedUsage } from './bulk.ts';

/** What the upstream calls wrong is dropped after so many tries. */
const mostRejections = 5;
/** What it does not take, although it takes other usage, is dropped after so many tries: half an hour or more. */
const mostTries = 30;
/** So much of that is kept: 8 MB. */
const mostOvertaken = 100;
/** After so many failures the rest is not tried: the upstream is probably away. */
const mostFaults = 3;

/** Usage that keeps its content and its id until the upstream has confirmed it. */
export interface Outgoing {
  readonly scope: Scope;
  readonly body: BulkBody;
  /** The same for all that was frozen together. */
  readonly freeze: number;
  /** How often it was not taken; once it is overtaken, since then. */
  failures: number;
  /** Other usage was sent while this was not: the fault is not an outage. */
  isOvertaken: boolean;
}

interface QueueOptions {
  readonly upstream: Pick<Upstream, 'post'>;
  readonly findToken: (scope: Scope) => string | undefined;
  readonly log: Logger;
  readonly onSent?: (ms: number) => void;
  readonly onRefused?: () => void;
}

/** Why usage was not taken. `rejected`: it is wrong; `refused`: not with this token; `failed`: perhaps an outage. */
type Outcome = 'sent' | 'rejected' | 'refused' | 'failed';

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'sent';
  if ([400, 413, 415, 422].includes(status)) return 'rejected';
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status) ? 'refused' : 'failed';
}

const sizeOf = ({ body }: Outgoing): number => body.metrics.length + body.applications.length;

/**
 * Sends frozen usage. What the upstream does not take never holds up other usage: it is tried last, and dropped after
 * some tries if other usage was taken meanwhile. In an outage nothing is dropped.
 */
export function createQueue(options: QueueOptions) {
  const { upstream, findToken, log } = options;
  let waiting: Outgoing[] = [];
  let freezes = 0;
  let dropped = 0;
  let isHurried = false;
  let isFailing = false;

  async function deliver({ scope, body }: Outgoing): Promise<readonly [Outcome, unknown]> {
    const token = findToken(scope);
    if (token === undefined) return ['refused', 'no token has access to it'];
    const beganMs = performance.now();
    try {
      const { status } = await upstream.post('/api/client/metrics/bulk', body, { token });
      options.onSent?.(performance.now() - beganMs);
      if (status === 401 || status === 403) options.onRefused?.();
      return [outcomeOf(status), status];
    } catch (error) {
      return ['failed', error];
    }
  }

  function drop(gone: readonly Outgoing[], reason: unknown): void {
    if (gone.length === 0) return;
    const lost = gone.reduce((sum, each) => sum + sizeOf(each), 0);
    dropped += lost;
    waiting = waiting.filter((each) => !gone.includes(each));
    log.error({ lost, reason: String(reason) }, 'usage that the upstream refuses was dropped');
  }

  /** Marks what failed while other usage was sent, and drops it in the end. */
  function overtake(failed: readonly Outgoing[], reason: unknown): void {
    const fresh = failed.filter(({ isOvertaken }) => !isOvertaken);
    for (const each of fresh) Object.assign(each, { isOvertaken: true, failures: 1 });
    if (fresh.length === 0) return;
    log.warn(
      { waiting: fresh.reduce((sum, each) => sum + sizeOf(each), 0), reason: String(reason) },
      'the upstream refuses some usage, trying again',
    );
    const overtaken = waiting
      .filter(({ isOvertaken }) => isOvertaken)
      .sort((a, b) => a.failures - b.failures);
    drop(overtaken.slice(mostOvertaken), reason);
  }

  return {
    /** The number of counts and applications. */
    size: () => waiting.reduce((sum, each) => sum + sizeOf(each), 0),
    dropped: () => dropped,
    list: (): readonly Outgoing[] => waiting,
    /** How many freezes wait for the end of an outage. */
    countFrozen: () =>
      new Set(waiting.filter(({ isOvertaken }) => !isOvertaken).map(({ freeze }) => freeze)).size,
    /** From now on, one failure is enough not to try the rest. */
    hurry(): void {
      isHurried = true;
    },

    /** Adds usage that was frozen together. */
    add(usage: readonly ScopedUsage[]): void {
      freezes += 1;
      for (const { scope, ...content } of usage) {
        const body = { batchId: randomUUID(), ...content };
        waiting.push({ scope, body, freeze: freezes, failures: 0, isOvertaken: false });
      }
    },

    restore(stored: readonly Outgoing[]): void {
      // All of it counts as frozen together.
      waiting = stored.map((each) => ({
        ...{ scope: each.scope, body: each.body, freeze: 0 },
        ...{ failures: each.failures ?? 0, isOvertaken: each.isOvertaken ?? false },
      }));
    },

    /** Sends what waits, as far as the upstream takes it. Returns whether anything changed that should be stored. */
    async send(): Promise<boolean> {
      const failed: Outgoing[] = [];
      let [sent, faults, reason]: [number, number, unknown] = [0, 0, undefined];
      for (const each of [...waiting].sort((a, b) => a.failures - b.failures)) {
        const [outcome, why] = await deliver(each);
        if (outcome === 'sent') {
          waiting = waiting.filter((other) => other !== each);
          sent += 1;
          continue;
        }
        reason = why;
        each.failures += 1;
        failed.push(each);
        const most = outcome === 'rejected' ? mostRejections : mostTries;
        if ((outcome === 'rejected' || each.isOvertaken) && each.failures >= most) {
          drop([each], why);
        }
        if (outcome === 'failed') faults += 1;
        if (faults >= (isHurried ? 1 : mostFaults)) break;
      }
      if (sent > 0) overtake(failed, reason);
      if (sent > 0 && isFailing) log.info('the upstream accepts usage again');
      if (sent === 0 && !isFailing) {
        log.warn({ err: reason, waiting: waiting.length }, 'usage cannot be sent, trying again');
      }
      isFailing = sent === 0;
      return sent + failed.length > 0;
    },
  };
}
