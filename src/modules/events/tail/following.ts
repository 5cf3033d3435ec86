import type { Actor, Db } from '../../../platform/db/database.ts';

/** The channel on which `append_events` says that there is something new. */
export const eventsChannel = 'burgee_events';

/** Where instances hear that somebody may do more or less. `access` has the same name and stands above this module. */
export const accessChannel = 'burgee_access';

/**
 * Of these actors, the ids of those who may go on following the log: tokens that were not revoked and have not
 * ended see what they saw. One statement, however many they are. An account is never among them: it has to come
 * again, because only then is it known what it sees by now, and whether its credential still holds.
 */
export async function listMayGoOn(
  db: Db,
  actors: readonly Pick<Actor, 'kind' | 'id'>[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const tokens = new Set(actors.filter(({ kind }) => kind === 'token').map(({ id }) => -id));
  if (tokens.size === 0) return new Set();
  const valid = await db
    .selectFrom('api_tokens')
    .where('id', 'in', [...tokens])
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .select('id')
    .execute();
  return new Set(valid.map(({ id }) => -id));
}
