import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { defineLookup, type LookUp } from '../../../../platform/hooks.ts';
import { sees } from '../../../../platform/permission.ts';
import type { Feature } from '../feature-schema.ts';
import type { SetOwner } from '../owner/owner-schema.ts';
import { type Owner, shownName } from '../owner/queries.ts';
import { findProjectOf } from '../queries.ts';
import { type CompleteFeature, stageOrder } from './queries.ts';
import { featureOf, type Viewer } from './service.ts';

/** A feature as it was after an event. Who favorites, evaluates or reviews it is no part of its past. */
export interface PastFeature
  extends Omit<
    CompleteFeature,
    'favorite' | 'creator' | 'authors' | 'owner' | 'potentiallyStale' | 'lifecycle'
  > {
  readonly owner: SetOwner | null;
}

/** Asks for a feature as it was at an instant, or after the event with an ID. */
export const pastFeature = defineLookup<
  { readonly name: string; readonly asOf: string; readonly now: Date },
  { readonly eventId: number; readonly feature: PastFeature | undefined }
>('pastFeature');

interface Circumstances {
  readonly creator: CompleteFeature['creator'] | null;
  readonly lifecycle: CompleteFeature['lifecycle'];
  readonly ownerName: string | null;
}

/** What is read from elsewhere: the creation from the log, stages by their time, and the owner's name of today. */
async function readCircumstances(
  db: Db,
  name: string,
  eventId: number,
  owner: SetOwner | null,
): Promise<Circumstances> {
  const { rows } = await sql<Circumstances>`
    select (
      select json_build_object('id', coalesce(e.created_by_user_id, 0), 'name', e.created_by)
      from events e
      where e.feature_name = ${name} and e.type = 'feature-created' and e.id <= ${eventId}
      order by e.id desc limit 1
    ) as creator, (
      select json_build_object('stage', c.stage, 'status', c.status, 'enteredStageAt', c.entered_at)
      from feature_lifecycles c
      where c.feature_name = ${name}
        and c.entered_at <= (select e.created_at from events e where e.id = ${eventId})
      order by array_position(${stageOrder}, c.stage) desc limit 1
    ) as lifecycle, ${
      owner?.type === 'group'
        ? sql`(select g.name from groups g where g.id = ${owner.id})`
        : sql`(select ${shownName} from users u where u.id = ${owner?.id ?? null} and u.deleted_at is null)`
    } as "ownerName"`.execute(db);
  return rows[0] as Circumstances;
}

/** An owner who was deleted since has no name any more. */
const namedOwner = (owner: SetOwner | null, name: string | null): Owner | null =>
  owner && { ...owner, name: name ?? `${owner.type} ${owner.id}` };

/**
 * Nobody sees more of the past than of the present: the project that the feature had then must be the one of the path,
 * which the caller sees; the one that it has today must be visible, too; and what happened in an earlier project with
 * the same ID is for administrators.
 */
async function isVisible(
  db: Db,
  { actor }: Viewer,
  project: string,
  { name, eventId }: { readonly name: string; readonly eventId: number },
): Promise<boolean> {
  if (actor.sees === 'all') return true;
  const present = await findProjectOf(db, name);
  if (present !== undefined && !sees(actor, present)) return false;
  const row = await db
    .selectFrom('projects')
    .where('id', '=', project)
    .select('first_event_id as first')
    .executeTakeFirst();
  return row !== undefined && row.first <= eventId;
}

export async function getFeatureAsOf(
  { db, lookUp }: { readonly db: Db; readonly lookUp: LookUp },
  viewer: Viewer & { readonly now: Date },
  { project, name, asOf }: Readonly<Record<'project' | 'name' | 'asOf', string>>,
): Promise<Feature> {
  const { now } = viewer;
  const { eventId, feature } = await lookUp(pastFeature, db, { name, asOf, now });
  if (feature?.project !== project || !(await isVisible(db, viewer, project, { name, eventId }))) {
    throw notFound('feature', name);
  }
  const { creator, lifecycle, ownerName } = await readCircumstances(
    db,
    name,
    eventId,
    feature.owner,
  );
  return featureOf(
    {
      ...feature,
      favorite: false,
      creator: creator ?? { id: 0, name: '' },
      authors: [],
      owner: namedOwner(feature.owner, ownerName),
      potentiallyStale: null,
      lifecycle,
    },
    viewer.baseUrl,
  );
}
