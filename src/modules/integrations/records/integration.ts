import { sql } from 'kysely';
import type { Actor, Db } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { pathId } from '../../../platform/http/path-id.ts';
import { isHidden } from '../configuration/answer.ts';
import { responsible } from '../configuration/queries.ts';
import type { Responsible } from '../configuration/responsible.ts';
import { deletedPrivate, knownProjects } from './visible.ts';

/** What records and deliveries have to know of the integration to which they belong. */
export interface Receiver {
  readonly id: number;
  readonly provider: string;
  readonly enabled: boolean;
  readonly paused: boolean;
  readonly inOrder: boolean;
  readonly heldUntil: Date | null;
  readonly responsible: Responsible;
}

/** The integration that an address names, unless there is none, it was deleted, or may not be known. */
export async function getReceiver(
  db: Db,
  actor: Pick<Actor, 'sees'>,
  id: string,
): Promise<Receiver> {
  const found = await db
    .selectFrom('integrations as i')
    .where('i.id', '=', pathId('integration', id))
    .where('i.deleted_at', 'is', null)
    .select([
      'i.id',
      'i.provider',
      'i.enabled',
      sql<boolean>`i.paused_at is not null`.as('paused'),
      'i.in_order as inOrder',
      'i.held_until as heldUntil',
      'i.projects',
      knownProjects.as('knownProjects'),
      deletedPrivate.as('deletedPrivate'),
      responsible,
    ])
    .executeTakeFirst();
  if (!found || isHidden(actor, found)) throw notFound('integration', id);
  return found;
}
