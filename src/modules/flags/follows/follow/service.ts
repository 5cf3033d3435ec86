import type { Actor } from '../../../../platform/actor.ts';
import { explained } from '../../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../../platform/errors.ts';
import { followAdded, followRemoved, requireAccount } from '../../../access/users/index.ts';
import { record } from '../../../events/index.ts';
import { describeEmailChoice, type MailState } from '../emails/service.ts';
import { type Follows, maxFollows } from './contract.ts';
import {
  countFollows,
  deleteFeatureFollow,
  deleteProjectFollow,
  findProjectOfFeature,
  insertFeatureFollow,
  insertProjectFollow,
  listFeatureFollows,
  listProjectFollows,
  lockFollower,
} from './queries.ts';

interface FeatureAddress {
  readonly project: string;
  readonly feature: string;
}

const toText = <Row extends { readonly followedAt: Date }>({ followedAt, ...row }: Row) => ({
  ...row,
  followedAt: followedAt.toISOString(),
});

export async function listFollows(db: Db, actor: Actor, mail: MailState): Promise<Follows> {
  const userId = requireAccount(actor);
  return {
    features: (await listFeatureFollows(db, actor)).map(toText),
    projects: (await listProjectFollows(db, actor)).map(toText),
    letters: await describeEmailChoice(db, userId, mail),
  };
}

/** Undone with the transaction. Each follow costs every read of the changes one look into an index. */
async function refuseTooMany(tx: Tx, userId: number): Promise<void> {
  if ((await countFollows(tx.db, userId)) <= maxFollows) return;
  throw invalidOperation(`You can follow up to ${maxFollows} features and projects`);
}

export async function followProject(tx: Tx, project: string): Promise<void> {
  const userId = requireAccount(tx.actor);
  await lockFollower(tx);
  const added = await explained(insertProjectFollow(tx, project), {
    project_follows_project_fkey: () => notFound('project', project),
  });
  if (!added) return;
  await refuseTooMany(tx, userId);
  record(tx, followAdded({ data: { userId, project } }));
}

export async function unfollowProject(tx: Tx, project: string): Promise<void> {
  const userId = requireAccount(tx.actor);
  if (await deleteProjectFollow(tx, project))
    record(tx, followRemoved({ data: { userId, project } }));
}

/** The feature itself is not changed, so it needs no lock. */
async function requireFeature(tx: Tx, { project, feature }: FeatureAddress): Promise<void> {
  if ((await findProjectOfFeature(tx.db, feature)) !== project) throw notFound('feature', feature);
}

export async function followFeature(tx: Tx, address: FeatureAddress): Promise<void> {
  const userId = requireAccount(tx.actor);
  await requireFeature(tx, address);
  const { feature } = address;
  await lockFollower(tx);
  const added = await explained(insertFeatureFollow(tx, feature), {
    feature_follows_feature_fkey: () => notFound('feature', feature),
  });
  if (!added) return;
  await refuseTooMany(tx, userId);
  record(tx, followAdded({ data: { userId, ...address } }));
}

export async function unfollowFeature(tx: Tx, address: FeatureAddress): Promise<void> {
  const userId = requireAccount(tx.actor);
  await requireFeature(tx, address);
  if (await deleteFeatureFollow(tx, address.feature)) {
    record(tx, followRemoved({ data: { userId, ...address } }));
  }
}
