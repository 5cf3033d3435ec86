import type { Module, WritingServices } from '../../../../platform/module.ts';
import { findVisibleProjects } from '../../../access/gate/index.ts';
import { listChangesToMail } from '../changes/queries.ts';
import { composeLetter, maxCounted } from './compose.ts';
import {
  claimDueLetters,
  type DueLetter,
  findAddress,
  releaseLetters,
  updateOutcome,
} from './queries.ts';
import { dueAfterFailure, dueAfterLetter } from './schedule.ts';
import { noticeChanges } from './service.ts';

type LetterServices = Pick<
  WritingServices,
  'writeDb' | 'transact' | 'system' | 'clock' | 'mailer' | 'settings' | 'stopping'
>;

/** How many letters an instance claims at once. */
const batchSize = 10;
/** Longer than it takes to send a batch to a mail server that is hardly there. */
const claimMs = 15 * 60_000;

/** Returns whether the letter was sent or needless. What the person can see is decided now, not when it happened. */
async function sendLetter(
  { writeDb: db, mailer, settings, clock }: LetterServices,
  { userId, mailedId, pendingId }: DueLetter,
): Promise<boolean> {
  const sees = await findVisibleProjects(db, { kind: 'account', id: userId }, clock());
  const to = await findAddress(db, userId);
  if (sees === undefined || to === undefined) return true;
  const range = { after: mailedId, upTo: pendingId };
  const changes = await listChangesToMail(db, { userId, sees, ...range, limit: maxCounted });
  if (changes.length === 0) return true;
  return mailer.send(composeLetter(to, changes, settings.baseUrl));
}

/**
 * Sends a batch of due letters. A letter is sent first and stored as sent afterwards: if the process dies in between, it
 * is sent once more when the claim is over, and no change is lost. Returns whether to go on: not if all failed, because
 * then the mail server is probably away.
 */
async function sendSome(services: LetterServices): Promise<boolean> {
  const { writeDb: db, clock, stopping } = services;
  const now = clock();
  const claimedUntil = new Date(now.getTime() + claimMs);
  const letters = await claimDueLetters(db, { now, until: claimedUntil, limit: batchSize });
  let sent = 0;
  for (const [index, letter] of letters.entries()) {
    if (stopping.aborted) {
      const rest = letters.slice(index).map(({ userId }) => userId);
      await releaseLetters(db, rest, claimedUntil);
      return false;
    }
    const isSent = await sendLetter(services, letter);
    const { userId, frequency, pendingId, failures } = letter;
    await updateOutcome(db, {
      userId,
      claimedUntil,
      ...(isSent
        ? { mailedId: pendingId, failures: 0, dueAt: dueAfterLetter(frequency, clock()) }
        : { failures: failures + 1, dueAt: dueAfterFailure(failures, clock()) }),
    });
    if (isSent) sent += 1;
  }
  return letters.length === batchSize && sent > 0;
}

/** Notices changes of what people follow, and sends the letters that are due. */
export async function sendLetters(services: LetterServices): Promise<void> {
  const { transact, system, stopping } = services;
  while (!stopping.aborted && (await transact(system, noticeChanges)));
  while (!stopping.aborted && (await sendSome(services)));
}

/** Requests do nothing for letters: they record their events, and this job reads them. */
export const jobs: NonNullable<Module['jobs']> = (services) =>
  services.mailer.configured
    ? [
        {
          name: 'follows: send letters',
          everyMs: 15_000,
          run: () => sendLetters(services),
        },
      ]
    : [];
