import { createHash } from 'node:crypto';
import type { Tx } from '../../../platform/db/database.ts';
import { tooManyRequests } from '../../../platform/errors.ts';
import {
  deleteAttempts,
  deleteAttemptsBefore,
  insertAttempt,
  updateAttemptsBack,
} from '../queries/attempts.ts';
import { deleteFamiliarBefore, isFamiliar, upsertFamiliar } from '../queries/familiar-addresses.ts';
import { type Count, countsOfGuess, longestWindowMs } from '../throttle.ts';

const familiarForMs = 90 * 24 * 3_600_000;

const addressKey = (caller: string): string => createHash('sha256').update(caller).digest('hex');

const before = (tx: Tx, ms: number): Date => new Date(tx.now.getTime() - ms);

/**
 * Counts one attempt everywhere, or refuses it and counts it nowhere: the refusal ends the transaction.
 * In one order, so that those who count at once do not wait for each other in a circle.
 */
export async function countAttempt(tx: Tx, counts: readonly Count[]): Promise<void> {
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
export const isOneTooMany = async (tx: Tx, count: Count): Promise<boolean> =>
  (await insertAttempt(tx, count)) === undefined;

/** An attempt to sign in, counted as if it failed until it is known that it did not. */
export interface CountedGuess {
  readonly own: Count;
  readonly shared: readonly Count[];
}

/** Before the password is looked at, so that many guesses at once are no more than one by one. */
export async function countGuess(
  tx: Tx,
  { userId, name, caller }: { userId: number | undefined; name: string; caller: string },
): Promise<CountedGuess> {
  const familiar = await isFamiliar(tx.db, {
    userId: userId ?? 0,
    address: addressKey(caller),
    since: before(tx, familiarForMs),
  });
  // Both names of a person lead to one count.
  const account =
    userId === undefined ? `name ${name.normalize('NFC').toLowerCase()}` : `user ${userId}`;
  const guess = countsOfGuess({ account, caller, familiar }, tx.now);
  await countAttempt(tx, [guess.own, ...guess.shared]);
  return guess;
}

/** It was no guess: whoever knows the password may mistype it as often as before. */
export async function takeBackGuess(tx: Tx, { own, shared }: CountedGuess): Promise<void> {
  const sorted = [own, ...shared].sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const count of sorted) {
    if (count === own) await deleteAttempts(tx, count);
    else await updateAttemptsBack(tx, count);
  }
}

export const markFamiliar = (tx: Tx, userId: number, caller: string) =>
  upsertFamiliar(tx, { userId, address: addressKey(caller) });

export async function forgetOldAttempts(tx: Tx): Promise<void> {
  await deleteAttemptsBefore(tx, before(tx, longestWindowMs));
  await deleteFamiliarBefore(tx, before(tx, familiarForMs));
}
