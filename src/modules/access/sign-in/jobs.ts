import type { Kysely } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import type { Module } from '../../../platform/module.ts';
import { deleteAttemptsBefore } from './queries/attempts.ts';
import { deleteFamiliarBefore } from './queries/familiar-addresses.ts';
import { deleteLoginsBefore } from './queries/logins.ts';
import { familiarForMs } from './service/attempts.ts';
import { loginsKeptForMs } from './service/logins.ts';
import { longestWindowMs } from './throttle.ts';

/** Forgets what counts for nothing any more. */
export async function forgetOldAttempts(db: Kysely<Database>, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  await deleteAttemptsBefore(db, ago(longestWindowMs));
  await deleteFamiliarBefore(db, ago(familiarForMs));
  await deleteLoginsBefore(db, ago(loginsKeptForMs));
}

export const jobs: NonNullable<Module['jobs']> = ({ writeDb, clock }) => [
  {
    name: 'sign-in: delete attempts that no longer count',
    everyMs: 600_000,
    run: () => forgetOldAttempts(writeDb, clock()),
  },
];
