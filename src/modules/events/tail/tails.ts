import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { accessChannel, eventsChannel } from '../../../platform/db/channels.ts';
import type { Actor } from '../../../platform/db/database.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { Services } from '../../../platform/module.ts';
import { matchesNothing } from '../search/filter.ts';
import { type Batch, readBatch, type Subject } from './batch.ts';

/** A sign of life this often keeps proxies from closing a quiet connection. */
const heartbeatMs = 15_000;
/** A notification can be lost with its connection; looking now and then makes that harmless. */
const lookAgainMs = 5_000;
/** Then the follower comes again, and has to show a token that is still valid. */
const longestMs = 10 * 60_000;
/** Who takes nothing for so long has left without a word. */
const patienceMs = 60_000;
const tickMs = 1_000;

/** Ids that are looked at by one statement; more where nothing was found in them, so that a long way back is short. */
const smallWindow = 1_000;
const largeWindow = 20_000;
/** Those who catch up share the time between two rounds: those who are up to date do not wait for all of them. */
const catchingUpPerRound = 8;
/** Between two rounds there is at least this, and half of what the last one took: reads get two thirds of one connection at most. */
const pauseMs = 20;

/** After so many failures of a round it is the database that is away, and not one of the reads that is too much for it. */
const mostFailures = 3;

/** An id without data is no event, but the place from which a client resumes. */
const placeMark = (id: number) => `id: ${id}\n\n`;

interface Tail {
  readonly raw: ServerResponse;
  readonly actor: Pick<Actor, 'kind' | 'id'>;
  readonly subject: Subject;
  /** Equal for all tails that are told the same. */
  readonly key: string;
  readonly endsAt: number;
  /** Whether the filter lets anything through at all. */
  readonly canMatch: boolean;
  /** Everything up to this id was looked at. */
  after: number;
  /** The last event that the caller may see: to name a later one would tell that something hidden happened. */
  lastVisible: number;
  window: number;
  /** How much was heard when the last look began that found the end of the log. */
  lookedAsOf: number;
  /** Since when the client has not taken what was sent; undefined when it has. */
  fullSince: number | undefined;
  quietSince: number;
}

export interface NewTail {
  readonly raw: ServerResponse;
  readonly actor: Pick<Actor, 'kind' | 'id' | 'tokenEndsAt'>;
  readonly subject: Subject;
  readonly after: number;
  readonly lastVisible: number;
  /** What `accessAsOf` said before anything was waited for. */
  readonly accessAsOf: number;
}

const keyOf = (subject: Subject): string =>
  createHash('sha256').update(JSON.stringify(subject)).digest('base64url');

/**
 * Follows the log for all who asked for that. Nothing is missed or sent twice, whichever instance wrote it: commit
 * order is id order, so what is behind the last id seen is all there is to come. Those who see the same are served by
 * one read. There is one read at a time, so that searches have all other connections of their pool.
 */
export function createTails(
  services: Pick<
    Services,
    'searchDb' | 'listener' | 'listUnchangedActors' | 'stopping' | 'clock' | 'log'
  >,
) {
  const { searchDb, listener, listUnchangedActors, stopping, clock, log } = services;
  const tails = new Map<ServerResponse, Tail>();
  /** How often something was heard that is a reason to look. */
  let heard = 0;
  /** How often somebody came to see more or less. */
  let accessNews = 0;
  /** Whether the tokens have to be looked up: until that is done, nobody is told anything. */
  let doubted = false;
  let busy = false;
  /** Whether there was a reason to work while work was going on, which may have been about to end. */
  let again = false;
  let ticking: NodeJS.Timeout | undefined;
  let lookedAt = 0;

  function leave(tail: Tail): void {
    tails.delete(tail.raw);
    if (tails.size === 0) clearInterval(ticking);
  }

  function end(tail: Tail): void {
    leave(tail);
    // Who has not even taken what came before would keep the connection open for ever.
    if (tail.fullSince === undefined) tail.raw.end(placeMark(tail.lastVisible));
    else tail.raw.destroy();
  }

  /** One for all responses, as `onDrain`: what each of them would keep alive by its own adds up. */
  function onClose(this: ServerResponse): void {
    const tail = tails.get(this);
    if (tail) leave(tail);
  }

  function onDrain(this: ServerResponse): void {
    const tail = tails.get(this);
    if (!tail) return;
    tail.fullSince = undefined;
    work();
  }

  function send(tail: Tail, bytes: Buffer | string): void {
    tail.quietSince = clock().getTime();
    if (!tail.raw.write(bytes)) tail.fullSince = tail.quietSince;
  }

  function tell(tail: Tail, batch: Batch, asOf: number): void {
    if (!tails.has(tail.raw)) return;
    tail.after = batch.upTo;
    tail.lastVisible = batch.lastVisible ?? tail.lastVisible;
    tail.window = batch.frames ? smallWindow : Math.min(4 * tail.window, largeWindow);
    if (batch.upTo >= batch.head) {
      tail.lookedAsOf = asOf;
      tail.window = smallWindow;
    }
    if (batch.frames) send(tail, batch.frames);
  }

  async function checkTokens(): Promise<void> {
    doubted = false;
    const ofTokens = [...tails.values()].filter(({ actor }) => actor.kind === 'token');
    const actors = ofTokens.map(({ actor }) => actor);
    const allowed = await listUnchangedActors(actors).catch((error) => {
      doubted = true;
      throw error;
    });
    for (const tail of ofTokens) if (!allowed.has(tail.actor.id) && tails.has(tail.raw)) end(tail);
  }

  /** The last in line from now on. */
  function moveBack(together: readonly Tail[]): void {
    for (const tail of together) if (tails.delete(tail.raw)) tails.set(tail.raw, tail);
  }

  /** Tells these tails, which are told the same and have come equally far, what comes next. */
  async function advance(together: readonly Tail[]): Promise<void> {
    const [{ subject, after, window }] = together as [Tail];
    const asOf = heard;
    const batch = await readBatch(searchDb, subject, { after, window });
    if (doubted) return;
    for (const tail of together) tell(tail, batch, asOf);
  }

  const complain = (error: unknown) => {
    if (!stopping.aborted) log.warn({ err: error }, 'the log could not be read for its tails');
  };

  /** Whoever follows stays: the next look tries again. Says whether it was done. */
  async function tryToAdvance(together: readonly Tail[]): Promise<boolean> {
    try {
      await advance(together);
      return true;
    } catch (error) {
      complain(error);
      for (const tail of together) Object.assign(tail, { lookedAsOf: heard, window: smallWindow });
      return false;
    }
  }

  const isDue = ({ canMatch, fullSince, lookedAsOf }: Tail) =>
    canMatch && fullSince === undefined && lookedAsOf !== heard;

  /** What to read next: all that is new for those who are up to date, and a little for those who are not. */
  function nextReads(): readonly (readonly Tail[])[] {
    const due = [...tails.values()].filter(isDue);
    const reads = grouped(due, ({ key, after, window }) => `${key} ${after} ${window}`);
    const isUpToDate = ([tail]: readonly Tail[]) => tail !== undefined && tail.lookedAsOf >= 0;
    const all = [...reads.values()];
    const catchingUp = all.filter((each) => !isUpToDate(each)).slice(0, catchingUpPerRound);
    for (const together of catchingUp) moveBack(together);
    return [...all.filter(isUpToDate), ...catchingUp];
  }

  async function rounds(): Promise<void> {
    for (;;) {
      if (doubted) await checkTokens();
      const reads = nextReads();
      if (reads.length === 0) return;
      const began = performance.now();
      let failures = 0;
      for (const together of reads) {
        if (doubted) break;
        if (!(await tryToAdvance(together))) failures += 1;
        if (failures === mostFailures) return;
      }
      await pause(Math.max(pauseMs, (performance.now() - began) / 2), undefined, { ref: false });
    }
  }

  function work(): void {
    again = busy;
    if (busy || stopping.aborted || tails.size === 0) return;
    busy = true;
    // Those who come at the same time are served together.
    setImmediate()
      .then(rounds)
      .catch(complain)
      .finally(() => {
        busy = false;
        if (again) work();
      });
  }

  function tick(): void {
    // The clock may have been set back: nothing waits until it is again where it was.
    const now = clock().getTime();
    for (const tail of [...tails.values()]) {
      const { fullSince, quietSince, endsAt, lastVisible } = tail;
      const isStuck = fullSince !== undefined && Math.abs(now - fullSince) >= patienceMs;
      const isOver = now >= endsAt || endsAt - now > longestMs;
      if (isStuck || isOver) end(tail);
      else if (fullSince === undefined && Math.abs(now - quietSince) >= heartbeatMs) {
        send(tail, placeMark(lastVisible));
      }
    }
    if (Math.abs(now - lookedAt) < lookAgainMs) return;
    lookedAt = now;
    heard += 1;
    // A token can end by itself.
    doubted = true;
    work();
  }

  listener.on(eventsChannel, () => {
    heard += 1;
    work();
  });
  listener.on(accessChannel, () => {
    accessNews += 1;
    doubted = true;
    // Accounts are over at once; for tokens it takes a look.
    for (const tail of [...tails.values()]) if (tail.actor.kind !== 'token') end(tail);
    work();
  });
  stopping.addEventListener('abort', () => {
    for (const tail of [...tails.values()]) end(tail);
  });

  return {
    accessAsOf: () => accessNews,
    /** Answers a request, whose head is sent, with all that happens from an id on. */
    open({ raw, actor, subject, after, lastVisible, accessAsOf }: NewTail): void {
      // Gone while we looked: there will be no other sign of it.
      if (raw.destroyed) return;
      const now = clock().getTime();
      const tail: Tail = {
        ...{ raw, actor, subject, after, lastVisible, key: keyOf(subject), window: smallWindow },
        endsAt: Math.min(now + longestMs, actor.tokenEndsAt?.getTime() ?? Number.POSITIVE_INFINITY),
        canMatch: !matchesNothing(subject.filter),
        lookedAsOf: -1,
        fullSince: undefined,
        quietSince: now,
      };
      if (tails.size === 0) {
        lookedAt = now;
        ticking = setInterval(tick, tickMs).unref();
      }
      tails.set(raw, tail);
      raw.on('close', onClose);
      raw.on('drain', onDrain);
      send(tail, `retry: 1000\n: following behind ${lastVisible}\n${placeMark(lastVisible)}`);
      const isOutdated = accessAsOf !== accessNews;
      if (isOutdated) doubted = true;
      if (stopping.aborted || (isOutdated && actor.kind !== 'token')) end(tail);
      else work();
    },
    count: () => tails.size,
  };
}
