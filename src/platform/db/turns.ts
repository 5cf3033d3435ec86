import type { Actor } from '../actor.ts';
import { callerOf } from '../caller-address.ts';
import { startDeadline } from '../deadline.ts';
import { unavailable } from '../errors.ts';
import { createKeyedSemaphore, createSemaphore, type Release } from '../semaphore.ts';
import type { Transact } from './database.ts';

export interface TurnLimits {
  /** How many connections all accounts together may use. */
  readonly accounts: number;
  /** How many connections one account may use. */
  readonly perAccount: number;
  /** How many connections callers without an account may use, to sign in for example. */
  readonly visitors: number;
  /** How many changes of one account may be in progress or waiting. */
  readonly maxPending: number;
  /** How long a change waits for its turn. */
  readonly patienceMs: number;
}

/**
 * Divides the connections for changes. What accounts and visitors may not use is left to the system, which renews
 * sessions and stores metrics.
 */
export function turnLimits(connections: number): TurnLimits {
  const accounts = Math.max(1, Math.floor(connections * 0.7));
  return {
    accounts,
    perAccount: Math.max(1, Math.floor(accounts / 2)),
    visitors: Math.max(1, Math.floor(connections * 0.2)),
    // Terraform sends ten requests at once, and a browser six.
    maxPending: 50,
    patienceMs: 10_000,
  };
}

const retryAfterSeconds = 2;

const tooManyPending = (most: number) =>
  unavailable(
    `Burgee is busy with ${most} other changes by your account. Send fewer at once, and try again in a few seconds`,
    retryAfterSeconds,
  );

const tooLongWaiting = () =>
  unavailable(
    "Burgee is busy: earlier changes haven't finished. Try again in a few seconds",
    retryAfterSeconds,
  );

const isVisitor = ({ kind, requestId }: Actor) => kind === 'system' && requestId !== null;

/** Visitors are told apart by their address. */
const accountOf = (actor: Actor): string =>
  isVisitor(actor) ? `visitor ${callerOf(actor.ip ?? '')}` : `${actor.kind} ${actor.id}`;

export interface Turns {
  /** Returns a function that runs transactions when it is their turn. */
  readonly takingTurns: (transact: Transact) => Transact;
  /** How many changes wait for their turn. */
  readonly countWaiting: () => number;
}

/**
 * Lets changes wait in memory before they take a connection: for other changes of the same account, then for those of
 * the same resource, then for those of other accounts. A change that waits for a lock of the database holds a connection
 * meanwhile: without turns, the waiting changes of one account took all connections for ten seconds.
 *
 * Turns only save connections. Locks of the database order the changes, also those of other instances and of commands.
 */
export function createTurns(limits: TurnLimits): Turns {
  const { accounts, perAccount, visitors, maxPending, patienceMs } = limits;
  const pending = new Map<string, number>();
  const resources = createKeyedSemaphore<string>(1);
  const ofAccount = createKeyedSemaphore<string>(perAccount);
  const ofAccounts = createSemaphore(accounts);
  const ofVisitors = createSemaphore(visitors);
  let waiting = 0;

  function enter(account: string): Release {
    const count = pending.get(account) ?? 0;
    if (count >= maxPending) throw tooManyPending(maxPending);
    pending.set(account, count + 1);
    return () => {
      const left = (pending.get(account) as number) - 1;
      if (left === 0) pending.delete(account);
      else pending.set(account, left);
    };
  }

  /**
   * Takes the permits in the same order for all, so that no two changes wait for each other. The account comes first, so
   * that the waiting changes of one account occupy few resources.
   */
  async function takeTurn(actor: Actor, account: string, held: Release[]): Promise<void> {
    const patience = new AbortController();
    const deadline = startDeadline(patienceMs, () => patience.abort(tooLongWaiting()));
    waiting += 1;
    try {
      const { signal } = patience;
      held.push(await ofAccount.acquire(account, signal));
      if (actor.resource !== undefined) held.push(await resources.acquire(actor.resource, signal));
      held.push(await (isVisitor(actor) ? ofVisitors : ofAccounts).acquire(signal));
    } finally {
      waiting -= 1;
      deadline.clear();
    }
  }

  const takingTurns: Turns['takingTurns'] = (transact) => async (actor, work) => {
    if (actor.kind === 'system' && !isVisitor(actor)) return transact(actor, work);
    const account = accountOf(actor);
    const held = [enter(account)];
    try {
      await takeTurn(actor, account, held);
      return await transact(actor, work);
    } finally {
      for (const release of held.reverse()) release();
    }
  };
  return { takingTurns, countWaiting: () => waiting };
}
