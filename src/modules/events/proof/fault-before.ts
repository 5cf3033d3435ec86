import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { only } from './chain.ts';
import { fault, type LogFault } from './diagnose.ts';

export const inserted = (id: number, anchorId: number, text = String(id)): LogFault =>
  fault(
    'inserted',
    id,
    `Event ${text} was inserted: the stored log begins after event ${anchorId}`,
  );

/**
 * An event at or before the anchor, where nothing can be any more. Looked for in the database, because ids go down to
 * -2^63, where numbers in JavaScript are not exact.
 */
export async function faultBefore(
  db: Db,
  anchorId: number,
  schema?: string,
): Promise<LogFault | undefined> {
  const { rows } = await sql<{ id: number; text: string }>`
    select e.id, e.id::text as text from ${only('events', schema)} e
    where e.id <= ${anchorId} order by e.id limit 1`.execute(db);
  const [found] = rows;
  return found && inserted(found.id, anchorId, found.text);
}
