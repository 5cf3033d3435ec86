import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import type { Actor } from '../../../platform/actor.ts';
import { accessChannel, eventsChannel } from '../../../platform/db/channels.ts';
import { grouped } from '../../../platform/grouped.ts';
import { closeOneByOne, retryField } from '../../../platform/http/drain.ts';
import type { Services } from '../../../platform/module.ts';
import { matchesNothing } from '../search/filter.ts';
import { type Batch, readBatch, type TailSubject } from './batch.ts';

/** A heartbeat this often keeps proxies from closing an idle connection. */
const heartbeatMs = 15_000;
/** A notification can be lost with the connection to the database. Polling makes that harmless. */
const pollMs = 5_000;
/** After this time the follower has to connect again with a token that is still valid. */
const maxDurationMs = 10 * 60_000;
/** A client that takes nothing for so long has left without closing the connection. */
const stalledMs = 60_000;
const tickMs = 1_000;

/** How many ids one statement examines. The window grows while nothing matches, so that catching up is fast. */
const smallWindow = 1_000;
const largeWindow = 20_000;
/**
 * Tails that catch up share the time between two rounds, so that tails which are up to date do not wait for all of
 * them.
 */
const catchingUpPerRound = 8;
/**
 * The minimal pause between two rounds. With a pause of half of the last round, reads take at most two thirds of one
 * connection.
 */
const pauseMs = 20;

/** After so many failures in a round the database is down, and not a single read is too expensive. */
const maxFailures = 3;

/** A frame with an id and without data is no event, but sets the id from which a client resumes. */
const idFrame = (id: number) => `id: ${id}\n\n`;

interface Tail {
  readonly raw: ServerResponse;
  readonly actor: Pick<Actor, 'kind' | 'id'>;
  readonly subject: TailSubject;
  /** Equal for all tails that get the same bytes. */
  readonly key: string;
  readonly endsAt: number;
  /** Whether there can be anything to send. */
  readonly canMatch: boolean;
  /** Everything up to this id was read. */
  after: number;
  /** The last event that the caller may see. A later id would reveal that something hidden happened. */
  lastVisible: number;
  window: number;
  /** The value of `notifications` when the last read that reached the end of the log started. */
  readUpTo: number;
  /** Since when the client has not taken what was sent. Undefined if it has. */
  blockedSince: number | undefined;
  lastSentAt: number;
}

export interface NewTail {
  readonly raw: ServerResponse;
  readonly actor: Pick<Actor, 'kind' | 'id' | 'tokenEndsAt'>;
  readonly subject: TailSubject;
  readonly after: number;
  readonly lastVisible: number;
  /** The value of `accessVersion()` before the first await. */
  readonly accessVersion: number;
}

const keyOf = (subject: TailSubject): string =>
  createHash('sha256').update(JSON.stringify(subject)).digest('base64url');

/**
 * Follows the log for all its readers. Nothing is missed or sent twice, whichever instance wrote it: commit order is id
 * order, so that all new events are after the last id. Readers that see the same share one read. There is one read at a
 * time, so that searches have all other connections of their pool.
 */
export function createTails(
  services: Pick<
    Services,
    'searchDb' | 'listener' | 'listUnchangedActors' | 'stopping' | 'onDrain' | 'clock' | 'log'
  >,
) {
  const { searchDb, listener, listUnchangedActors, stopping, clock, log } = services;
  const tails = new Map<ServerResponse, Tail>();
  /** How often there was a reason to read. */
  let notifications = 0;
  /** How often the access of anyone changed. */
  let accessChanges = 0;
  /** Whether the tokens have to be checked. Nothing is sent before that. */
  let mustCheckTokens = false;
  let busy = false;
  /** Whether there was another reason to work during the work, which may have come too late for it. */
  let workAgain = false;
  let ticking: NodeJS.Timeout | undefined;
  let lastPollAt = 0;

  function removeTail(tail: Tail): void {
    tails.delete(tail.raw);
    if (tails.size === 0) clearInterval(ticking);
  }

  function endTail(tail: Tail, retry = ''): void {
    removeTail(tail);
    // A client that has not taken earlier bytes would keep the connection open for ever.
    if (tail.blockedSince === undefined) tail.raw.end(retry + idFrame(tail.lastVisible));
    else tail.raw.destroy();
  }

  /** One function for all responses, like `onDrain`: a closure per response would take memory. */
  function onClose(this: ServerResponse): void {
    const tail = tails.get(this);
    if (tail) removeTail(tail);
  }

  function onDrain(this: ServerResponse): void {
    const tail = tails.get(this);
    if (!tail) return;
    tail.blockedSince = undefined;
    work();
  }

  function send(tail: Tail, bytes: Buffer | string): void {
    tail.lastSentAt = clock().getTime();
    if (!tail.raw.write(bytes)) tail.blockedSince = tail.lastSentAt;
  }

  function sendBatch(tail: Tail, batch: Batch, notificationCount: number): void {
    if (!tails.has(tail.raw)) return;
    tail.after = batch.upTo;
    tail.lastVisible = batch.lastVisible ?? tail.lastVisible;
    tail.window = batch.frames ? smallWindow : Math.min(4 * tail.window, largeWindow);
    if (batch.upTo >= batch.head) {
      tail.readUpTo = notificationCount;
      tail.window = smallWindow;
    }
    if (batch.frames) send(tail, batch.frames);
  }

  async function checkTokens(): Promise<void> {
    mustCheckTokens = false;
    const tokenTails = [...tails.values()].filter(({ actor }) => actor.kind === 'token');
    const actors = tokenTails.map(({ actor }) => actor);
    const allowed = await listUnchangedActors(actors).catch((error) => {
      mustCheckTokens = true;
      throw error;
    });
    for (const tail of tokenTails)
      if (!allowed.has(tail.actor.id) && tails.has(tail.raw)) endTail(tail);
  }

  /** They are the last ones to be served from now on. */
  function moveToEnd(group: readonly Tail[]): void {
    for (const tail of group) if (tails.delete(tail.raw)) tails.set(tail.raw, tail);
  }

  /** Sends the next batch to tails with equal subjects at the same id. */
  async function sendNext(group: readonly Tail[]): Promise<void> {
    const [{ subject, after, window }] = group as [Tail];
    const notificationCount = notifications;
    const batch = await readBatch(searchDb, subject, { after, window });
    if (mustCheckTokens) return;
    for (const tail of group) sendBatch(tail, batch, notificationCount);
  }

  const logFailure = (error: unknown) => {
    if (!stopping.aborted)
      log.warn({ err: error }, 'could not read the event log for live streams');
  };

  /** After a failure the tails stay, and the next read tries again. Returns whether it succeeded. */
  async function trySendNext(group: readonly Tail[]): Promise<boolean> {
    try {
      await sendNext(group);
      return true;
    } catch (error) {
      logFailure(error);
      for (const tail of group)
        Object.assign(tail, { readUpTo: notifications, window: smallWindow });
      return false;
    }
  }

  const isDue = ({ canMatch, blockedSince, readUpTo }: Tail) =>
    canMatch && blockedSince === undefined && readUpTo !== notifications;

  /** The next reads: everything new for tails that are up to date, and a little for the others. */
  function nextReads(): readonly (readonly Tail[])[] {
    const due = [...tails.values()].filter(isDue);
    const reads = grouped(due, ({ key, after, window }) => `${key} ${after} ${window}`);
    const isUpToDate = ([tail]: readonly Tail[]) => tail !== undefined && tail.readUpTo >= 0;
    const all = [...reads.values()];
    const catchingUp = all.filter((each) => !isUpToDate(each)).slice(0, catchingUpPerRound);
    for (const group of catchingUp) moveToEnd(group);
    return [...all.filter(isUpToDate), ...catchingUp];
  }

  async function runRounds(): Promise<void> {
    for (;;) {
      if (mustCheckTokens) await checkTokens();
      const reads = nextReads();
      if (reads.length === 0) return;
      const began = performance.now();
      let failures = 0;
      for (const group of reads) {
        if (mustCheckTokens) break;
        if (!(await trySendNext(group))) failures += 1;
        if (failures === maxFailures) return;
      }
      await pause(Math.max(pauseMs, (performance.now() - began) / 2), undefined, { ref: false });
    }
  }

  function work(): void {
    workAgain = busy;
    if (busy || stopping.aborted || tails.size === 0) return;
    busy = true;
    // Tails that start at the same time are served together.
    setImmediate()
      .then(runRounds)
      .catch(logFailure)
      .finally(() => {
        busy = false;
        if (workAgain) work();
      });
  }

  function tick(): void {
    // If the clock was set back, nothing waits until it reaches the old time again.
    const now = clock().getTime();
    for (const tail of [...tails.values()]) {
      const { blockedSince, lastSentAt, endsAt, lastVisible } = tail;
      const isStalled = blockedSince !== undefined && Math.abs(now - blockedSince) >= stalledMs;
      const isOver = now >= endsAt || endsAt - now > maxDurationMs;
      if (isStalled || isOver) endTail(tail);
      else if (blockedSince === undefined && Math.abs(now - lastSentAt) >= heartbeatMs) {
        send(tail, idFrame(lastVisible));
      }
    }
    if (Math.abs(now - lastPollAt) < pollMs) return;
    lastPollAt = now;
    notifications += 1;
    // A token can expire.
    mustCheckTokens = true;
    work();
  }

  listener.on(eventsChannel, () => {
    notifications += 1;
    work();
  });
  listener.on(accessChannel, () => {
    accessChanges += 1;
    mustCheckTokens = true;
    // Tails of accounts end at once. Tokens are checked first.
    for (const tail of [...tails.values()]) if (tail.actor.kind !== 'token') endTail(tail);
    work();
  });
  services.onDrain((hurry) =>
    closeOneByOne(
      [...tails.values()],
      (some) => {
        for (const tail of some) if (tails.has(tail.raw)) endTail(tail, retryField('one by one'));
      },
      hurry,
    ),
  );
  stopping.addEventListener('abort', () => {
    for (const tail of [...tails.values()]) endTail(tail, retryField('at once'));
  });

  return {
    accessVersion: () => accessChanges,
    /** Serves a request whose headers are sent with all events after an id. */
    open({ raw, actor, subject, after, lastVisible, accessVersion }: NewTail): void {
      // The client has left in the meantime. There will be no further close event.
      if (raw.destroyed) return;
      const now = clock().getTime();
      const tail: Tail = {
        ...{ raw, actor, subject, after, lastVisible, key: keyOf(subject), window: smallWindow },
        endsAt: Math.min(
          now + maxDurationMs,
          actor.tokenEndsAt?.getTime() ?? Number.POSITIVE_INFINITY,
        ),
        canMatch: subject.hints || !matchesNothing(subject.filter),
        readUpTo: -1,
        blockedSince: undefined,
        lastSentAt: now,
      };
      if (tails.size === 0) {
        lastPollAt = now;
        ticking = setInterval(tick, tickMs).unref();
      }
      tails.set(raw, tail);
      raw.on('close', onClose);
      raw.on('drain', onDrain);
      send(tail, `retry: 1000\n: following behind ${lastVisible}\n${idFrame(lastVisible)}`);
      const isOutdated = accessVersion !== accessChanges;
      if (isOutdated) mustCheckTokens = true;
      if (stopping.aborted || (isOutdated && actor.kind !== 'token')) endTail(tail);
      else work();
    },
    count: () => tails.size,
  };
}
