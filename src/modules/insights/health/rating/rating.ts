import { healthOf } from '../../../catalogue/projects/index.ts';

const dayMs = 86_400_000;

/** The current window is the last 30 days; the past window is the 30 days before it. */
export const windowMs = 30 * dayMs;

/** Instants are in milliseconds. */
export interface RatedFeature {
  readonly createdAt: number;
  /** Null if it is not archived. */
  readonly archivedAt: number | null;
  readonly stale: boolean;
  /** When its lifetime, or a longer snooze, ends; null for never. */
  readonly dueAt: number | null;
}

/** The number of events in each window, and the first event of each window's first day. */
interface Activity {
  readonly current: number;
  readonly past: number;
  readonly firstOfCurrent: number | null;
  readonly firstOfPast: number | null;
}

interface Release {
  readonly name: string;
  readonly createdAt: number;
  readonly releasedAt: number;
}

/** Stored data of a project whose rating changes as time passes. */
export interface Aging {
  /** All active features, and at least the archived ones that were created or archived in a window. */
  readonly features: readonly RatedFeature[];
  /** When each member got the first role. */
  readonly joined: readonly number[];
  /** Features first enabled in production in the current window. */
  readonly releases: readonly Release[];
  readonly activity: Activity;
}

interface Rating {
  readonly health: number;
  readonly potentiallyStaleCount: number;
  readonly activeCount: number;
  readonly staleCount: number;
  readonly stats: {
    readonly avgTimeToProdCurrentWindow: number;
    readonly createdCurrentWindow: number;
    readonly createdPastWindow: number;
    readonly archivedCurrentWindow: number;
    readonly archivedPastWindow: number;
    readonly projectActivityCurrentWindow: number;
    readonly projectActivityPastWindow: number;
    readonly projectMembersAddedCurrentWindow: number;
  };
}

interface RatingUntil {
  readonly rating: Rating;
  /** Until when the rating is valid if nothing changes. */
  readonly until: number;
}

/**
 * Returns the window of an instant. One exactly one window back is in the past window; one exactly two windows back is
 * in none.
 */
function windowOf(at: number, now: number): 'current' | 'past' | undefined {
  if (at > now - windowMs) return 'current';
  return at > now - 2 * windowMs ? 'past' : undefined;
}

const countIn = (times: readonly number[], now: number) => {
  const counts = { current: 0, past: 0 };
  for (const at of times) {
    const window = windowOf(at, now);
    if (window) counts[window] += 1;
  }
  return counts;
};

/** Returns when a feature is due. A stale or archived feature never is. */
const dueOf = ({ dueAt, stale, archivedAt }: RatedFeature): number | null =>
  stale || archivedAt !== null ? null : dueAt;

const present = (value: number | null): value is number => value !== null;

const msToProduction = ({ createdAt, releasedAt }: Release): number =>
  Math.max(0, releasedAt - createdAt);

export const daysToProduction = (release: Release): number => msToProduction(release) / dayMs;

export const meanDays = (releases: Aging['releases']): number =>
  releases.length === 0
    ? 0
    : releases.reduce((sum, release) => sum + msToProduction(release), 0) / releases.length / dayMs;

/** Only the events of the windows' first days are read, so a rating is valid until midnight at most. */
const midnightAfter = (now: number): number => (Math.floor(now / dayMs) + 1) * dayMs;

const firstAfter = (now: number, instants: Iterable<number>): number => {
  let first = Number.POSITIVE_INFINITY;
  for (const instant of instants) if (instant > now && instant < first) first = instant;
  return first;
};

/** Yields the instants at which something becomes due or leaves a window. */
function* changesOf({ features, joined, releases, activity }: Aging): Generator<number> {
  for (const feature of features) {
    const { createdAt, archivedAt } = feature;
    yield createdAt + windowMs;
    yield createdAt + 2 * windowMs;
    if (archivedAt !== null) {
      yield archivedAt + windowMs;
      yield archivedAt + 2 * windowMs;
    }
    const due = dueOf(feature);
    if (due !== null) yield due;
  }
  for (const at of joined) yield at + windowMs;
  for (const { releasedAt } of releases) yield releasedAt + windowMs;
  if (activity.firstOfCurrent !== null) yield activity.firstOfCurrent + windowMs;
  if (activity.firstOfPast !== null) yield activity.firstOfPast + 2 * windowMs;
}

/** Computes the health and the statistics of a project at an instant. */
export function rate(aging: Aging, now: number): RatingUntil {
  const { features, joined, releases, activity } = aging;
  const unarchived = features.filter(({ archivedAt }) => archivedAt === null);
  const stale = unarchived.filter((feature) => feature.stale).length;
  const due = unarchived.map(dueOf).filter((at) => present(at) && at <= now).length;
  const created = countIn(
    features.map(({ createdAt }) => createdAt),
    now,
  );
  const archived = countIn(features.map(({ archivedAt }) => archivedAt).filter(present), now);
  return {
    rating: {
      health: healthOf(unarchived.length, stale + due),
      potentiallyStaleCount: due,
      activeCount: unarchived.length - stale,
      staleCount: stale,
      stats: {
        avgTimeToProdCurrentWindow: meanDays(releases),
        createdCurrentWindow: created.current,
        createdPastWindow: created.past,
        archivedCurrentWindow: archived.current,
        archivedPastWindow: archived.past,
        projectActivityCurrentWindow: activity.current,
        projectActivityPastWindow: activity.past,
        projectMembersAddedCurrentWindow: countIn(joined, now).current,
      },
    },
    until: Math.min(midnightAfter(now), firstAfter(now, changesOf(aging))),
  };
}
