import type { Tx } from '../../../platform/db/database.ts';
import { createPasswordLink, findPersonForSignIn, resetUrl } from '../../users/index.ts';
import { countOf, rules } from '../throttle.ts';
import { isOneTooMany } from './attempts.ts';

/** The mail for whoever has this address; undefined when nobody has, or was written to too often. */
export async function prepareResetMail(tx: Tx, address: string, baseUrl: string) {
  const person = await findPersonForSignIn(tx.db, address);
  // A user name may look like an address, of somebody who never gets mail there.
  if (!person?.email || person.email.toLowerCase() !== address.toLowerCase()) return undefined;
  const mailbox = countOf(rules.resetPerMailbox, String(person.id), tx.now);
  if (await isOneTooMany(tx, mailbox)) return undefined;
  const { secret, expiresAt } = await createPasswordLink(tx, person.id, 'reset');
  return {
    to: person.email,
    subject: 'A new password for Burgee',
    text: `Somebody, hopefully you, asked for a new password at ${baseUrl}

Set it here, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC:
${resetUrl(baseUrl, secret)}

If it was not you, there is nothing to do: without this link nothing changes.
`,
  };
}
