import type { Db, Tx } from '../../../../platform/db/database.ts';
import { signInRefused } from '../../../../platform/errors.ts';
import { isPasswordSignInOff } from '../../settings/index.ts';
import { verifyPassword } from '../../users/index.ts';
import { type GuessCounts, takeBackGuess } from '../attempts/service.ts';
import { lockPasswordHash } from '../people-queries.ts';

interface PersonWithPassword {
  readonly id: number;
  readonly passwordHash: string | null;
}

/** The person, if this is their password; takes as long for somebody who does not exist. */
export async function requirePassword<Person extends PersonWithPassword>(
  db: Db,
  person: Person | undefined,
  password: string,
): Promise<Person> {
  const matches = await verifyPassword(person?.passwordHash ?? null, password);
  if (!matches || !person || (await isPasswordSignInOff(db))) throw signInRefused();
  return person;
}

/** A password that was changed while it was looked at opens nothing: all sessions it had are ended. */
export async function admit(
  tx: Tx,
  { id, passwordHash }: PersonWithPassword,
  guess: GuessCounts,
): Promise<void> {
  const current = await lockPasswordHash(tx, id);
  if (!current || current.passwordHash !== passwordHash) throw signInRefused();
  await takeBackGuess(tx, guess);
}
