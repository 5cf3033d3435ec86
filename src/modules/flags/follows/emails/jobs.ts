import type { Module, WritingServices } from '../../../../platform/module.ts';
import { findVisibleProjects } from '../../../access/gate/index.ts';
import { listChangesToMail } from '../changes/queries.ts';
import { composeEmail, maxCounted } from './compose.ts';
import { sendSomeDirect } from './direct.ts';
import {
  claimDueEmails,
  type DueEmail,
  findAddress,
  releaseEmails,
  updateOutcome,
} from './queries.ts';
import { dueAfterEmail, dueAfterFailure } from './schedule.ts';
import { noticeChanges } from './service.ts';

type EmailServices = Pick<
  WritingServices,
  'writeDb' | 'transact' | 'system' | 'clock' | 'mailer' | 'settings' | 'stopping'
>;

/** How many emails an instance claims at once. */
const batchSize = 10;
/** Longer than it takes to send a batch to a mail server that is hardly there. */
const claimMs = 15 * 60_000;

/** Returns whether the email was sent or needless. What the person can see is decided now, not when it happened. */
async function sendEmail(
  { writeDb: db, mailer, settings, clock }: EmailServices,
  { userId, mailedId, pendingId }: DueEmail,
): Promise<boolean> {
  const sees = await findVisibleProjects(db, { kind: 'account', id: userId }, clock());
  const to = await findAddress(db, userId);
  if (sees === undefined || to === undefined) return true;
  const range = { after: mailedId, upTo: pendingId };
  const changes = await listChangesToMail(db, { userId, sees, ...range, limit: maxCounted });
  if (changes.length === 0) return true;
  return mailer.send(composeEmail(to, changes, settings.baseUrl));
}

/**
 * Sends a batch of due emails. An email is sent first and stored as sent afterwards: if the process dies in between, it
 * is sent once more when the claim is over, and no change is lost. Returns whether to go on: not if all failed, because
 * then the mail server is probably away.
 */
async function sendSome(services: EmailServices): Promise<boolean> {
  const { writeDb: db, clock, stopping } = services;
  const now = clock();
  const claimedUntil = new Date(now.getTime() + claimMs);
  const emails = await claimDueEmails(db, { now, until: claimedUntil, limit: batchSize });
  let sent = 0;
  for (const [index, email] of emails.entries()) {
    if (stopping.aborted) {
      const rest = emails.slice(index).map(({ userId }) => userId);
      await releaseEmails(db, rest, claimedUntil);
      return false;
    }
    const isSent = await sendEmail(services, email);
    const { userId, frequency, pendingId, failures } = email;
    await updateOutcome(db, {
      userId,
      claimedUntil,
      ...(isSent
        ? { mailedId: pendingId, failures: 0, dueAt: dueAfterEmail(frequency, clock()) }
        : { failures: failures + 1, dueAt: dueAfterFailure(failures, clock()) }),
    });
    if (isSent) sent += 1;
  }
  return emails.length === batchSize && sent > 0;
}

/** Notices changes of what people follow, and sends the emails that are due. */
export async function sendEmails(services: EmailServices): Promise<void> {
  const { transact, system, stopping } = services;
  while (!stopping.aborted && (await sendSomeDirect(services)));
  while (!stopping.aborted && (await transact(system, noticeChanges)));
  while (!stopping.aborted && (await sendSome(services)));
}

/** Requests do nothing for emails: they record their events, and this job reads them. */
export const jobs: NonNullable<Module['jobs']> = (services) =>
  services.mailer.configured
    ? [
        {
          name: 'follows: send emails',
          everyMs: 15_000,
          run: () => sendEmails(services),
        },
      ]
    : [];
