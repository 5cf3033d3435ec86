import { createHash } from 'node:crypto';
import { dayMs } from '../../../../platform/clock.ts';
import { counted } from '../../../../platform/counted.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { tooManyRequests } from '../../../../platform/errors.ts';
import { hashSecret } from '../../../../platform/secret.ts';
import { loginNameOf } from '../../users/index.ts';
import { deleteOldFamiliar, listFamiliar, upsertFamiliar } from './familiar-address-queries.ts';
import { deleteAttempts, insertAttempt, updateAttemptsBack } from './queries.ts';
import { type AttemptCounter, countersOfGuess } from './throttle.ts';

export const familiarForMs = 90 * dayMs;

const addressKey = (caller: string): string => createHash('sha256').update(caller).digest('hex');

/** Stored beside hashed addresses, which have no prefix. Without a device it is a key that no one has. */
const deviceKey = (device = ''): string => `device:${hashSecret(device).toString('hex')}`;

const before = (tx: Tx, ms: number): Date => new Date(tx.now.getTime() - ms);

/**
 * Counts an attempt in all counters, or throws, which rolls all of them back. Sorted, so that concurrent transactions
 * do not deadlock.
 */
export async function countAttempt(tx: Tx, counts: readonly AttemptCounter[]): Promise<void> {
  const sorted = [...counts].sort((a, b) => (a.key < b.key ? -1 : 1));
  let waitSeconds = 0;
  for (const count of sorted) {
    const isCounted = await insertAttempt(tx, count);
    if (!isCounted) waitSeconds = Math.max(waitSeconds, count.secondsLeft);
  }
  if (waitSeconds > 0) {
    throw tooManyRequests(
      `Too many attempts. Try again in ${counted(waitSeconds, 'second')}`,
      waitSeconds,
    );
  }
}

/** Counts an attempt without an error for the caller. Returns whether the limit was exceeded. */
export const countAndCheckLimit = async (tx: Tx, count: AttemptCounter): Promise<boolean> =>
  (await insertAttempt(tx, count)) === undefined;

/** The counters of an attempt to sign in. It counts as failed until the password is verified. */
export interface GuessCounts {
  readonly own: AttemptCounter;
  readonly shared: readonly AttemptCounter[];
}

interface Attempt {
  readonly userId: number | undefined;
  /** The typed name of the account. */
  readonly name: string;
  readonly caller: string;
  readonly device: string | undefined;
}

/** Runs before the password is verified, so that concurrent guesses do not exceed the limit. */
export async function countGuess(
  tx: Tx,
  { userId, name, caller, device }: Attempt,
): Promise<GuessCounts> {
  const [address, browser] = [addressKey(caller), deviceKey(device)];
  // The same query with and without a device, so that the time reveals nothing.
  const familiar = await listFamiliar(tx.db, {
    userId: userId ?? 0,
    addresses: [address, browser],
    since: before(tx, familiarForMs),
  });
  // By the typed name, whether it exists or not. A counter for all names of an account would reveal which belong together.
  const account = loginNameOf(name);
  const guess = countersOfGuess(
    {
      account,
      caller,
      familiar: familiar.includes(address),
      device: familiar.includes(browser) ? browser : undefined,
    },
    tx.now,
  );
  await countAttempt(tx, [guess.own, ...guess.shared]);
  return guess;
}

/** The password was right. Whoever knows it may mistype it as often as before. */
export async function takeBackGuess(tx: Tx, { own, shared }: GuessCounts): Promise<void> {
  const sorted = [own, ...shared].sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const count of sorted) {
    if (count === own) await deleteAttempts(tx, count);
    else await updateAttemptsBack(tx, count);
  }
}

/** The maximum number of addresses and devices of one person. It limits scripts without cookies. */
const maxFamiliar = 50;

/** Remembers the address and the browser of a log-in. Guesses from elsewhere do not count against them. */
export async function markFamiliar(
  tx: Tx,
  userId: number,
  { caller, device }: { readonly caller: string; readonly device: string | undefined },
): Promise<void> {
  await upsertFamiliar(tx, { userId, address: addressKey(caller) });
  if (device !== undefined) await upsertFamiliar(tx, { userId, address: deviceKey(device) });
  await deleteOldFamiliar(tx, userId, maxFamiliar);
}
