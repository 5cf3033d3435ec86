import type { Db, Tx } from '../../../../platform/db/database.ts';
import { invalidOperation } from '../../../../platform/errors.ts';
import { record } from '../../../events/index.ts';
import { requireAccount } from '../accounts/service.ts';
import { preferenceUpdated } from '../events.ts';
import type { Feedback } from './contract.ts';
import {
  countPreferences,
  findFeedback,
  insertSplash,
  listFeedback,
  listSplashes,
  upsertFeedback,
} from './queries.ts';

/** More than the UI needs. Concurrent requests may exceed it by a few. */
const maxPreferences = 500;

async function requireFewerThanMax(tx: Tx, userId: number): Promise<void> {
  if ((await countPreferences(tx.db, userId)) < maxPreferences) return;
  throw invalidOperation(`The limit of ${maxPreferences} entries per user is reached`);
}

/** The splashes that a person has seen, and the feedback they have given. */
export async function readPreferences(
  db: Db,
  userId: number,
): Promise<{ feedback: Feedback[]; splash: Record<string, boolean> }> {
  const feedback = await listFeedback(db, userId);
  const splashes = await listSplashes(db, userId);
  return {
    feedback: feedback.map(({ feedbackId, neverShow, givenAt }) => ({
      userId,
      feedbackId,
      neverShow,
      given: givenAt.toISOString(),
    })),
    splash: Object.fromEntries(splashes.map(({ splashId }) => [splashId, true])),
  };
}

export async function markSplashSeen(tx: Tx, splashId: string) {
  const userId = requireAccount(tx.actor);
  await requireFewerThanMax(tx, userId);
  if (await insertSplash(tx, userId, splashId)) {
    record(tx, preferenceUpdated({ data: { userId, splashId, seen: true } }));
  }
  return { userId, splashId, seen: true };
}

export async function setFeedback(
  tx: Tx,
  feedbackId: string,
  neverShow: boolean,
): Promise<Feedback> {
  const userId = requireAccount(tx.actor);
  const before = await findFeedback(tx.db, userId, feedbackId);
  if (before?.neverShow !== neverShow) {
    if (!before) await requireFewerThanMax(tx, userId);
    await upsertFeedback(tx, { userId, feedbackId, neverShow });
    record(
      tx,
      preferenceUpdated({
        data: { userId, feedbackId, neverShow },
        ...(before && { preData: { userId, feedbackId, neverShow: before.neverShow } }),
      }),
    );
  }
  return { userId, feedbackId, neverShow, given: (before?.givenAt ?? tx.now).toISOString() };
}
