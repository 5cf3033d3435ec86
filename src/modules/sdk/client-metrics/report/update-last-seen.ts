import { dayMs } from '../../../../platform/clock.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { enterStage, markSeen, stages } from '../../../flags/features/index.ts';
import type { FeatureEnvironmentRow } from '../feature-metrics/queries.ts';

/**
 * The last-seen time of a feature is written once in this interval, for all features at the same moment. Otherwise
 * the report of a project in use would change every second.
 */
const lastSeenIntervalMs = 10_000;

/** SDKs report once a minute, so the exact time is not known. */
const reportIntervalMs = 60_000;

interface Sighting extends FeatureEnvironmentRow {
  readonly at: Date;
}

const instantOf = (seenMs: number, now: Date): Date =>
  now.getTime() - seenMs <= reportIntervalMs ? now : new Date(seenMs);

const positionOfStage = (stage: (typeof stages)[number]) => stages.indexOf(stage) + 1;

/** A stage is entered together with a new last-seen time, so that a cached health report notices. */
const isNewest = ({ at, lastSeenAt }: Sighting) => lastSeenAt === null || at >= lastSeenAt;

const becomesPreLive = (sighting: Sighting) =>
  sighting.stage < positionOfStage('pre-live') && isNewest(sighting);

/**
 * The feature is enabled now. Whether it was enabled when it was evaluated is not known, so old reports do not count.
 */
const becomesLive = (now: Date) => (sighting: Sighting) =>
  sighting.type === 'production' &&
  sighting.enabled &&
  sighting.stage < positionOfStage('live') &&
  now.getTime() - sighting.at.getTime() < dayMs &&
  isNewest(sighting);

const intervalOf = (instant: Date) => Math.floor(instant.getTime() / lastSeenIntervalMs);

const isUnwritten = ({ at, lastSeenAt }: Sighting) =>
  lastSeenAt === null || intervalOf(lastSeenAt) < intervalOf(at);

/** Each feature once, with its earliest sighting. */
function firstOfEach(sightings: readonly Sighting[]) {
  const first = new Map<string, Sighting>();
  for (const sighting of sightings) {
    const before = first.get(sighting.feature);
    if (!before || sighting.at < before.at) first.set(sighting.feature, sighting);
  }
  return [...first.values()];
}

/** Stores when features were last seen, and the lifecycle stages they enter. */
export async function updateLastSeen(
  tx: Tx,
  seen: ReadonlyMap<FeatureEnvironmentRow, number>,
): Promise<void> {
  const sightings = [...seen].map(([row, ms]) => ({ ...row, at: instantOf(ms, tx.now) }));
  const preLive = sightings.filter(becomesPreLive);
  const live = sightings.filter(becomesLive(tx.now));
  const due = new Set([...sightings.filter(isUnwritten), ...preLive, ...live]);
  await markSeen(tx, [...due]);
  await enterStage(tx, firstOfEach(preLive), 'pre-live');
  await enterStage(tx, firstOfEach(live), 'live');
}
