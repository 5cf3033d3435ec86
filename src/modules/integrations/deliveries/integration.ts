import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { pathId } from '../../../platform/http/path-id.ts';
import { isHidden } from '../configuration/present.ts';
import { responsible } from '../configuration/queries.ts';
import type { Responsible } from '../configuration/responsible.ts';
import { currentProjects, deletedPrivate } from './visible.ts';

/** The fields of an integration that its records and deliveries need. */
export interface IntegrationState {
  readonly id: number;
  readonly provider: string;
  readonly enabled: boolean;
  readonly paused: boolean;
  readonly inOrder: boolean;
  readonly heldUntil: Date | null;
  readonly responsible: Responsible;
}

/** Throws not-found if the integration does not exist, was deleted, or is hidden from the actor. */
export async function getIntegration(
  db: Db,
  actor: Pick<Actor, 'sees'>,
  id: string,
): Promise<IntegrationState> {
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
      currentProjects.as('currentProjects'),
      deletedPrivate.as('deletedPrivate'),
      responsible,
    ])
    .executeTakeFirst();
  if (!found || isHidden(actor, found)) throw notFound('integration', id);
  return found;
}
