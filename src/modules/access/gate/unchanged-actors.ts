import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';

/**
 * The ids of those actors whose open streams may continue: API tokens that are neither revoked nor expired see what
 * they saw before. Accounts have to connect again, which checks their credential and what they see now.
 */
export async function listUnchangedActors(
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
