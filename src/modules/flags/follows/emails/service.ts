import type { Db, Tx } from '../../../../platform/db/database.ts';
import { invalidOperation } from '../../../../platform/errors.ts';
import {
  directEmailsChanged,
  followLettersChanged,
  type Mailer,
  requireAccount,
} from '../../../access/users/index.ts';
import { record } from '../../../events/index.ts';
import type { EmailChoice, Frequency } from './contract.ts';
import {
  deleteDirectEmailsOff,
  deleteEmailChoice,
  findAddress,
  findEmailChoice,
  hasDirectEmails,
  insertDirectEmailsOff,
  lockProgress,
  updatePending,
  upsertEmailChoice,
} from './queries.ts';

export type MailState = Pick<Mailer, 'configured'>;

async function findRefusal(db: Db, userId: number, mail: MailState): Promise<string | undefined> {
  if (!mail.configured) return "Email isn't set up on this server. Ask an admin to set EMAIL_HOST.";
  if ((await findAddress(db, userId)) === undefined)
    return 'Add an email address to your account to get notifications.';
  return undefined;
}

const findFrequency = async (db: Db, userId: number): Promise<Frequency> =>
  (await findEmailChoice(db, userId))?.frequency ?? 'none';

export async function describeEmailChoice(
  db: Db,
  userId: number,
  mail: MailState,
): Promise<EmailChoice> {
  const refusal = await findRefusal(db, userId, mail);
  return {
    frequency: await findFrequency(db, userId),
    direct: await hasDirectEmails(db, userId),
    ...(refusal !== undefined && { refusal }),
  };
}

async function setFrequency(tx: Tx, userId: number, frequency: Frequency, mail: MailState) {
  const before = await findFrequency(tx.db, userId);
  if (before === frequency) return;
  if (frequency === 'none') await deleteEmailChoice(tx.db, userId);
  else {
    const refusal = await findRefusal(tx.db, userId, mail);
    if (refusal !== undefined) throw invalidOperation(refusal);
    await upsertEmailChoice(tx, userId, frequency);
  }
  record(
    tx,
    followLettersChanged({
      data: { userId, letters: frequency },
      preData: { userId, letters: before },
    }),
  );
}

async function setDirect(tx: Tx, userId: number, direct: boolean) {
  const before = await hasDirectEmails(tx.db, userId);
  if (before === direct) return;
  if (direct) await deleteDirectEmailsOff(tx, userId);
  else await insertDirectEmailsOff(tx, userId);
  record(
    tx,
    directEmailsChanged({ data: { userId, direct }, preData: { userId, direct: before } }),
  );
}

export async function setEmailChoice(
  tx: Tx,
  { frequency, direct }: { readonly frequency: Frequency; readonly direct?: boolean },
  mail: MailState,
): Promise<EmailChoice> {
  const userId = requireAccount(tx.actor);
  await setFrequency(tx, userId, frequency, mail);
  if (direct !== undefined) await setDirect(tx, userId, direct);
  return describeEmailChoice(tx.db, userId, mail);
}

/** Compares some events with the follows. Returns whether there are more. */
export async function noticeChanges(tx: Tx): Promise<boolean> {
  const { eventId, head } = await lockProgress(tx);
  if (eventId >= head) return false;
  return (await updatePending(tx, { after: eventId, upTo: head })) < head;
}
