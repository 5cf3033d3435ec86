import type { Tx } from '../../../platform/db/database.ts';
import { signInRefused } from '../../../platform/errors.ts';
import { lockPasswordHash } from '../queries/people.ts';

/** A password that was changed while it was looked at opens nothing: all sessions it had are ended. */
export async function requireUnchanged(
  tx: Tx,
  { id, passwordHash }: { readonly id: number; readonly passwordHash: string | null },
): Promise<void> {
  const current = await lockPasswordHash(tx, id);
  if (!current || current.passwordHash !== passwordHash) throw signInRefused();
}
