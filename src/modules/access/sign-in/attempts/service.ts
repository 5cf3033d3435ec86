import { createHash } from 'node:crypto';
import { dayMs } from '../../../../platform/clock.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { tooManyRequests } from '../../../../platform/errors.ts';
import { hashSecret } from '../../../../platform/secret.ts';
import { loginNameOf } from '../../users/index.ts';
import { deleteFamiliarBehind, listFamiliar, upsertFamiliar } from './familiar-address-queries.ts';
import { deleteAttempts, insertAttempt, updateAttemptsBack } from './queries.ts';
import { type AttemptCounter, countersOfGuess } from './throttle.ts';

export const familiarForMs = 90 * dayMs;

const addressKey = (caller: string): string => createHash('sha256').update(caller).digest('hex');

/** Kept beside the addresses, which never look like this. Of no device, it is one that nobody has. */
const deviceKey = (device = ''): string => `device:${hashSecret(device).toString('hex')}`;

const before = (tx: Tx, ms: number): Date => new Date(tx.now.getTime() - ms);

/**
 * Counts one attempt everywhere, or refuses it and counts it nowhere: the refusal ends the transaction.
 * In one order, so that those who count at once do not wait for each other in a circle.
 */
export async function countAttempt(tx: Tx, counts: readonly AttemptCounter[]): Promise<void> {
  const sorted = [...counts].sort((a, b) => (a.key < b.key ? -1 : 1));
  let waitSeconds = 0;
  for (const count of sorted) {
    const counted = await insertAttempt(tx, count);
    if (!counted) waitSeconds = Math.max(waitSeconds, count.secondsLeft);
  }
  if (waitSeconds > 0) {
    throw tooManyRequests(
      `There were too many attempts; try again in ${waitSeconds} seconds`,
      waitSeconds,
    );
  }
}

/** Counts an attempt whose maker is not told how many there were: says whether it was one too many. */
export const countAndCheckLimit = async (tx: Tx, count: AttemptCounter): Promise<boolean> =>
  (await insertAttempt(tx, count)) === undefined;

/** An attempt to sign in, counted as if it failed until it is known that it did not. */
export interface GuessCounts {
  readonly own: AttemptCounter;
  readonly shared: readonly AttemptCounter[];
}

interface Attempt {
  readonly userId: number | undefined;
  readonly name?: string;
  readonly caller: string;
  readonly device: string | undefined;
}

/** Before the password is looked at, so that many guesses at once are no more than one by one. */
export async function countGuess(
  tx: Tx,
  { userId, name = '', caller, device }: Attempt,
): Promise<GuessCounts> {
  const [address, browser] = [addressKey(caller), deviceKey(device)];
  // The same question with a device and without: the time tells nobody whose it is.
  const familiar = await listFamiliar(tx.db, {
    userId: userId ?? 0,
    addresses: [address, browser],
    since: before(tx, familiarForMs),
  });
  // Both names of a person lead to one count.
  const account = userId === undefined ? `name ${loginNameOf(name)}` : `user ${userId}`;
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

/** It was no guess: whoever knows the password may mistype it as often as before. */
export async function takeBackGuess(tx: Tx, { own, shared }: GuessCounts): Promise<void> {
  const sorted = [own, ...shared].sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const count of sorted) {
    if (count === own) await deleteAttempts(tx, count);
    else await updateAttemptsBack(tx, count);
  }
}

/** Addresses and devices of one person: enough for anybody, and an end for a script without a memory. */
const maxFamiliar = 50;

/** Where somebody has signed in, and with which browser: guesses made elsewhere do not count there. */
export async function markFamiliar(
  tx: Tx,
  userId: number,
  { caller, device }: { readonly caller: string; readonly device: string | undefined },
): Promise<void> {
  await upsertFamiliar(tx, { userId, address: addressKey(caller) });
  if (device !== undefined) await upsertFamiliar(tx, { userId, address: deviceKey(device) });
  await deleteFamiliarBehind(tx, userId, maxFamiliar);
}
