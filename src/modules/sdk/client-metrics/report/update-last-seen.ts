import { dayMs } from '../../../../platform/clock.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { enterStage, markSeen, stages } from '../../../flags/features/index.ts';
import type { FeatureEnvironmentRow } from '../feature-metrics/queries.ts';

/**
 * When a feature was last seen is written once in such a stretch of time, for all features in the same moment: a
 * report over a project that is in use would otherwise be another one each second.
 */
const seenEveryMs = 10_000;

/** SDKs tell once a minute what they were asked for in it: nobody knows better when that was. */
const promptMs = 60_000;

interface Sighting extends FeatureEnvironmentRow {
  readonly at: Date;
}

const instantOf = (seenMs: number, now: Date): Date =>
  now.getTime() - seenMs <= promptMs ? now : new Date(seenMs);

const placeOfStage = (stage: (typeof stages)[number]) => stages.indexOf(stage) + 1;

/** A stage is entered with what was seen last, so that a health report that is kept notices. */
const isNewest = ({ at, lastSeenAt }: Sighting) => lastSeenAt === null || at >= lastSeenAt;

const becomesPreLive = (sighting: Sighting) =>
  sighting.stage < placeOfStage('pre-live') && isNewest(sighting);

/** It is on now; whether it was long ago, when it was asked for, is not known. */
const becomesLive = (now: Date) => (sighting: Sighting) =>
  sighting.type === 'production' &&
  sighting.enabled &&
  sighting.stage < placeOfStage('live') &&
  now.getTime() - sighting.at.getTime() < dayMs &&
  isNewest(sighting);

const stretch = (instant: Date) => Math.floor(instant.getTime() / seenEveryMs);

const isUnwritten = ({ at, lastSeenAt }: Sighting) =>
  lastSeenAt === null || stretch(lastSeenAt) < stretch(at);

/** Each feature once, with the first of its sightings. */
function firstOfEach(sightings: readonly Sighting[]) {
  const first = new Map<string, Sighting>();
  for (const sighting of sightings) {
    const before = first.get(sighting.feature);
    if (!before || sighting.at < before.at) first.set(sighting.feature, sighting);
  }
  return [...first.values()];
}

/** Notes when features were asked for, and what stages they enter by it. */
export async function noteSightings(
  tx: Tx,
  seen: ReadonlyMap<FeatureEnvironmentRow, number>,
): Promise<void> {
  const sightings = [...seen].map(([place, ms]) => ({ ...place, at: instantOf(ms, tx.now) }));
  const preLive = sightings.filter(becomesPreLive);
  const live = sightings.filter(becomesLive(tx.now));
  const due = new Set([...sightings.filter(isUnwritten), ...preLive, ...live]);
  await markSeen(tx, [...due]);
  await enterStage(tx, firstOfEach(preLive), 'pre-live');
  await enterStage(tx, firstOfEach(live), 'live');
}
