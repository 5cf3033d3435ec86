import type { Db } from '../../platform/db/database.ts';
import { type Installation, loginOf } from './document.ts';
import { listImportedFeatures } from './queries.ts';
import type { ReadingClient } from './unleash/client.ts';
import { byName } from './unleash/plain.ts';
import { lookUp } from './unleash/read-features.ts';

/**
 * Looks for imported features that a reading does not have. A feature that was deleted in the source is archived in
 * Burgee, so a list that has missed a feature must not be enough to believe it.
 */
export async function withMissedFeatures(
  db: Db,
  client: ReadingClient,
  theirs: Installation,
): Promise<Installation> {
  const listed = new Set(theirs.features.map(({ name }) => name));
  const imported = await listImportedFeatures(db, theirs.source.url);
  const missed = imported.filter((name) => !listed.has(name));
  if (missed.length === 0) return theirs;
  const found = await lookUp(client.forNewReading(), theirs.projects, missed, {
    segmentNames: new Map(theirs.segments.map(({ id, name }) => [id ?? 0, name])),
    logins: new Map(theirs.accounts.map((account) => [account.id, loginOf(account)])),
  });
  return { ...theirs, features: [...theirs.features, ...found].sort(byName) };
}
