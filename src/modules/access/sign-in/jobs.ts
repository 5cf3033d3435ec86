import type { Kysely } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import type { Module } from '../../../platform/module.ts';
import { deleteFamiliarBefore } from './attempts/familiar-address-queries.ts';
import { deleteAttemptsBefore } from './attempts/queries.ts';
import { familiarForMs } from './attempts/service.ts';
import { maxWindowMs } from './attempts/throttle.ts';
import { deleteLoginsBefore } from './logins/queries.ts';
import { loginsStoredForMs } from './logins/service.ts';

/** Deletes attempts that no longer count. */
export async function deleteOldAttempts(db: Kysely<Database>, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  await deleteAttemptsBefore(db, ago(maxWindowMs));
  await deleteFamiliarBefore(db, ago(familiarForMs));
  await deleteLoginsBefore(db, ago(loginsStoredForMs));
}

export const jobs: NonNullable<Module['jobs']> = ({ writeDb, clock }) => [
  {
    name: 'sign-in: delete attempts that no longer count',
    everyMs: 600_000,
    run: () => deleteOldAttempts(writeDb, clock()),
  },
];
