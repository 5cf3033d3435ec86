import { randomUUID } from 'node:crypto';
import { hourMs } from '../../platform/clock.ts';
import { grouped } from '../../platform/grouped.ts';
import type { Logger } from '../../platform/log.ts';
import type { Scope } from '../hub/scopes.ts';
import type { Upstream } from '../upstream/requests.ts';
import { type BulkBody, kindKey, type ScopedUsage } from './bulk.ts';

/** What the upstream calls wrong this often, while it takes other usage, is dropped. */
const mostRejections = 5;
/** What it does not take for another reason, while it takes other usage, is dropped after so many rounds: a day. */
const maxSkippedRounds = 1_440;
/** So many batches that fail like that are kept: 24 MB. More would take the room of usage that can be sent. */
const mostStuck = 300;
/** After so many failures the rest is not tried: the upstream is probably away. Those of public usage count apart. */
const mostFaults = 3;
/** So much of a kind of usage waits in an outage. The rest is summed by hour, which takes less room. */
const mostFrozen = 3;
/**
 * An upstream that answers is not away, and may take what it was not sent yet. From so much on, more of the kind is sent
 * once an hour, by which it is summed.
 */
const mostAnswered = 30;

/** Usage that keeps its content and its id until the upstream has confirmed it. */
export interface Outgoing {
  readonly scope: Scope;
  readonly body: BulkBody;
  /** How many counts take as much memory. */
  readonly room: number;
  /** The same for all that was frozen together. */
  readonly frozenMs: number;
  /** In how many rounds it was not taken although other usage was: then the fault is not an outage. */
  overtakings: number;
  /** In how many of these the upstream called it wrong. */
  rejections: number;
  /** What became of the last try. */
  lastOutcome?: Outcome;
}

interface QueueOptions {
  readonly upstream: Pick<Upstream, 'post'>;
  readonly findToken: (scope: Scope) => string | undefined;
  readonly log: Logger;
  readonly onSent?: (ms: number) => void;
  readonly onRefused?: () => void;
  /** The upstream has confirmed a batch. */
  readonly onTaken?: (batchId: string) => Promise<unknown>;
}

/**
 * What became of a try. `rejected`: it is wrong; `declined`: perhaps it is, as 403 and 406 of a firewall are about its
 * content; `refused`: its token is wrong; `failed`: perhaps an outage.
 */
type Outcome = 'sent' | 'rejected' | 'declined' | 'refused' | 'failed';

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'sent';
  if ([400, 413, 415, 422].includes(status)) return 'rejected';
  if (status === 401) return 'refused';
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status) ? 'declined' : 'failed';
}

const isFresh = ({ overtakings }: Outgoing): boolean => overtakings === 0;
const isUntried = (each: Outgoing): boolean => isFresh(each) && each.lastOutcome === undefined;
const isAnswered = ({ lastOutcome }: Outgoing): boolean =>
  lastOutcome === 'rejected' || lastOutcome === 'declined';

/** Whether more usage has to wait until some of the same kind was taken. What was overtaken has a bound of its own. */
function isEnough(sameKind: readonly Outgoing[]): boolean {
  if (sameKind.some(({ lastOutcome }) => lastOutcome === 'refused')) return true;
  const fresh = sameKind.filter(isFresh);
  const timesOf = (some: readonly Outgoing[]) => new Set(some.map(({ frozenMs }) => frozenMs));
  const answered = timesOf(fresh.filter(isAnswered));
  const unanswered = timesOf(fresh.filter((each) => !isAnswered(each)));
  if (unanswered.size >= mostFrozen) return true;
  return answered.size >= mostAnswered && Date.now() - Math.max(...answered) < hourMs;
}

/** The number of counts and applications. */
const countOf = ({ body }: Outgoing): number => body.metrics.length + body.applications.length;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

interface FailedBatch {
  readonly outgoing: Outgoing;
  readonly outcome: Outcome;
  readonly reason: unknown;
}

/** Whether it is the fault of this usage, and no later try can help. */
const isHopeless = ({ outcome, outgoing: { overtakings, rejections } }: FailedBatch): boolean =>
  overtakings >= maxSkippedRounds || (outcome === 'rejected' && rejections >= mostRejections);

/**
 * Sends frozen usage. What the upstream does not take never holds up other usage: it is tried last. In an outage nothing
 * is dropped, because only rounds in which other usage was taken count.
 */
export function createQueue(options: QueueOptions) {
  const { upstream, findToken, log } = options;
  let waiting: Outgoing[] = [];
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
    const lost = sumOf(gone.map(countOf));
    dropped += lost;
    const all = new Set(gone);
    waiting = waiting.filter((each) => !all.has(each));
    log.error({ lost, reason: String(reason) }, 'dropped usage that the upstream refuses');
  }

  /** Marks what was not taken while other usage was, and drops it in the end. */
  function overtake(missed: readonly FailedBatch[]): void {
    const fresh = missed.filter(({ outgoing }) => outgoing.overtakings === 0);
    for (const { outgoing, outcome } of missed) {
      outgoing.overtakings += 1;
      if (outcome === 'rejected') outgoing.rejections += 1;
    }
    const reason = missed[0]?.reason;
    if (fresh.length > 0) {
      log.warn(
        { waiting: sumOf(fresh.map(({ outgoing }) => countOf(outgoing))), reason: String(reason) },
        'the upstream refuses some usage, trying again',
      );
    }
    drop(
      missed.filter(isHopeless).map(({ outgoing }) => outgoing),
      reason,
    );
    const stuck = waiting.filter(
      ({ overtakings, lastOutcome }) => overtakings > 0 && lastOutcome !== 'refused',
    );
    // What anyone can invent goes first.
    const byWorth = [
      ...stuck.filter(({ body }) => body.isPublic),
      ...stuck.filter(({ body }) => !body.isPublic),
    ];
    drop(byWorth.slice(0, Math.max(0, stuck.length - mostStuck)), reason);
  }

  return {
    /** The memory of what waits, as a number of counts. */
    size: () => sumOf(waiting.map(({ room }) => room)),
    /** That of what public tokens reported. */
    publicSize: () => sumOf(waiting.map(({ body, room }) => (body.isPublic ? room : 0))),
    dropped: () => dropped,
    list: (): readonly Outgoing[] => waiting,
    /** The kinds of usage of which no more should be added now. */
    heldBack(): ReadonlySet<string> {
      const kinds = grouped(waiting, ({ scope, body }) => kindKey({ scope, ...body }));
      return new Set([...kinds].filter(([, same]) => isEnough(same)).map(([key]) => key));
    },
    /** From now on, one failure is enough not to try the rest. */
    hurry(): void {
      isHurried = true;
    },

    /** Adds usage that was frozen at a time. */
    add(usage: readonly ScopedUsage[], frozenMs: number): void {
      for (const { scope, room, ...content } of usage) {
        const body = { batchId: randomUUID(), ...content };
        waiting.push({ scope, body, room, frozenMs, overtakings: 0, rejections: 0 });
      }
    },

    restore(stored: readonly Outgoing[]): void {
      // All of it counts as frozen together.
      waiting = stored.map((each) => ({ ...each, frozenMs: 0 }));
    },

    /** Sends what waits, as far as the upstream takes it. Returns whether anything changed that should be stored. */
    async send(): Promise<boolean> {
      const missed: FailedBatch[] = [];
      let sent = 0;
      const faults = { own: 0, public: 0 };
      for (const outgoing of [
        ...waiting.filter(isUntried),
        ...waiting.filter((each) => isFresh(each) && !isUntried(each)),
        ...waiting.filter((each) => !isFresh(each)),
      ]) {
        const origin = outgoing.body.isPublic ? 'public' : 'own';
        if (faults[origin] >= mostFaults) continue;
        const [outcome, reason] = await deliver(outgoing);
        outgoing.lastOutcome = outcome;
        waiting = waiting.filter((other) => other !== outgoing);
        if (outcome === 'sent') {
          sent += 1;
          await options.onTaken?.(outgoing.body.batchId);
          continue;
        }
        // The next round begins with what was not tried in this one.
        waiting.push(outgoing);
        missed.push({ outgoing, outcome, reason });
        if (outcome === 'failed') faults[origin] += 1;
        if (outcome === 'failed' && isHurried) break;
      }
      if (sent > 0) overtake(missed);
      if (sent > 0 && isFailing) log.info('the upstream accepts usage again');
      if (sent === 0 && !isFailing) {
        const err = missed.at(-1)?.reason;
        log.warn({ err, waiting: waiting.length }, 'usage cannot be sent, trying again');
      }
      isFailing = sent === 0;
      return sent + missed.length > 0;
    },
  };
}
