import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';

interface LockedOriginal {
  readonly name: string;
  readonly project: string;
  /** Whether its project is private. */
  readonly isPrivate: boolean;
  /** Characters of its strategies. */
  readonly characters: number;
}

/** Locks active features and the project that gets the copies until the transaction ends. */
export async function lockOriginals(
  tx: Tx,
  target: string,
  names: readonly string[],
): Promise<LockedOriginal[]> {
  const { rows } = await sql<LockedOriginal>`
    select original.name, original.project, projects.mode = 'private' as "isPrivate",
      (select coalesce(sum(octet_length(held.parameters::text) + octet_length(held.constraints::text)
          + octet_length(held.variants::text)), 0)
        from feature_strategies held where held.feature_name = original.name)::float8 as characters
    from lock_originals(${target}, ${names}::text[]) original
    join projects on projects.id = original.project`.execute(tx.db);
  return rows;
}

/** The strategy types with a group id. */
export async function listTypesWithGroupId(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select t.name from strategy_types t where exists (
      select from json_array_elements(t.parameters) p where p->>'name' = 'groupId')`.execute(db);
  return rows.map(({ name }) => name);
}
