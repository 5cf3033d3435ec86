import type { WritingServices } from '../../../../platform/module.ts';
import { findVisibleProjects } from '../../../access/gate/index.ts';
import {
  claimDirectEmails,
  type DirectEmail,
  releaseDirectEmails,
  updateDirectEmail,
} from '../../../events/index.ts';
import { findDirectChange } from '../changes/queries.ts';
import { composeEmail, directReason } from './compose.ts';
import { findAddress } from './queries.ts';
import { dueAfterFailure } from './schedule.ts';

type Services = Pick<WritingServices, 'writeDb' | 'clock' | 'mailer' | 'settings' | 'stopping'>;

const batchSize = 10;
/** Longer than it takes to send a batch to a mail server that is hardly there. */
const claimMs = 15 * 60_000;
/** With the pauses in between, about a day. */
const maxFailures = 28;

/** Returns whether the email was sent or is needless. What the person can see is decided now. */
async function sendOne(
  { writeDb: db, mailer, settings, clock }: Services,
  { userId, eventId }: DirectEmail,
): Promise<boolean> {
  const sees = await findVisibleProjects(db, { kind: 'account', id: userId }, clock());
  const to = await findAddress(db, userId);
  if (sees === undefined || to === undefined) return true;
  const change = await findDirectChange(db, { userId, sees, eventId });
  if (!change) return true;
  return mailer.send(composeEmail(to, [change], settings.baseUrl, directReason));
}

/**
 * Sends some emails about events that are addressed to someone. Each was queued by the commit of its event, and is
 * stored as sent afterwards: if the process dies in between, it is sent once more. Returns whether to go on.
 */
export async function sendSomeDirect(services: Services): Promise<boolean> {
  const { writeDb: db, clock, stopping } = services;
  const now = clock();
  const claimedUntil = new Date(now.getTime() + claimMs);
  const emails = await claimDirectEmails(db, { now, until: claimedUntil, limit: batchSize });
  let sent = 0;
  for (const email of emails) {
    if (stopping.aborted) {
      await releaseDirectEmails(db, claimedUntil);
      return false;
    }
    const isSent = await sendOne(services, email);
    const failures = isSent ? 0 : email.failures + 1;
    const isOver = isSent || failures > maxFailures;
    const dueAt = isOver ? null : dueAfterFailure(email.failures, clock());
    await updateDirectEmail(db, { ...email, claimedUntil, failures, dueAt });
    if (isSent) sent += 1;
  }
  return emails.length === batchSize && sent > 0;
}
