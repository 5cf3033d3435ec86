import type { Actor } from '../../../../platform/actor.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation } from '../../../../platform/errors.ts';
import {
  getPerson,
  type HashedPassword,
  hashPassword,
  passwordFaults,
  requireAccount,
  type StoredAccount,
  setPassword,
  verifyPassword,
} from '../../users/index.ts';
import { type GuessCounts, takeBackGuess } from '../attempts/service.ts';
import { findPasswordHash, lockPasswordHash } from '../people-queries.ts';

const wrongPassword = () => {
  const path = '/body/oldPassword';
  return badData([{ path, message: `${path} is incorrect` }]);
};

/** Returns the actor if the new password is acceptable. An unacceptable one does not count as a guess. */
export async function requirePerson(
  db: Db,
  actor: Actor,
  newPassword: string,
): Promise<StoredAccount> {
  const userId = requireAccount(actor);
  if (actor.kind !== 'person') throw invalidOperation('A service account has no password');
  const person = await getPerson(db, userId);
  const faults = passwordFaults(newPassword, person, '/body/password');
  if (faults.length > 0) throw badData(faults);
  return person;
}

interface PasswordChange {
  readonly userId: number;
  /** The stored hash that the old password matched. */
  readonly formerHash: string;
  readonly password: HashedPassword;
}

/** Verifies and hashes before the transaction, which would otherwise hold its connection meanwhile. */
export async function prepareChange(
  db: Db,
  userId: number,
  { oldPassword, password }: { readonly oldPassword: string; readonly password: string },
): Promise<PasswordChange> {
  const formerHash = await findPasswordHash(db, userId);
  const matches = await verifyPassword(formerHash, oldPassword);
  if (!matches || formerHash === null) throw wrongPassword();
  return { userId, formerHash, password: await hashPassword(password) };
}

/** Throws if the password was changed after its verification. */
export async function changeOwnPassword(
  tx: Tx,
  { userId, formerHash, password }: PasswordChange,
  guess: GuessCounts,
): Promise<void> {
  const current = await lockPasswordHash(tx, userId);
  if (current?.passwordHash !== formerHash) throw wrongPassword();
  await takeBackGuess(tx, guess);
  await setPassword(tx, userId, password);
}
