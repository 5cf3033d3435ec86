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

/** Returns the person if the password is right. Takes as long for a person who does not exist. */
export async function requirePassword<Person extends PersonWithPassword>(
  db: Db,
  person: Person | undefined,
  password: string,
): Promise<Person> {
  const matches = await verifyPassword(person?.passwordHash ?? null, password);
  if (!matches || !person || (await isPasswordSignInOff(db))) throw signInRefused();
  return person;
}

/** If the password was changed after its verification, the log-in fails, because all its sessions were ended. */
export async function admit(
  tx: Tx,
  { id, passwordHash }: PersonWithPassword,
  guess: GuessCounts,
): Promise<void> {
  const current = await lockPasswordHash(tx, id);
  if (!current || current.passwordHash !== passwordHash) throw signInRefused();
  await takeBackGuess(tx, guess);
}
