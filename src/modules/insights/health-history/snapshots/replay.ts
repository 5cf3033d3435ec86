import { healthOf } from '../../../catalogue/projects/index.ts';
import type { EventType } from '../../../events/index.ts';

/** The properties of a feature that affect its project's health. Instants are in milliseconds. */
export interface FeatureState {
  project: string;
  type: string;
  stale: boolean;
  readonly createdAt: number;
  /** Whether its end of life was postponed. */
  review: Review | null;
}

export interface Review {
  readonly permanent: boolean;
  readonly snoozedUntil: number | null;
}

/** The initial state of a replay, which modifies it. */
export interface Present {
  readonly active: Map<string, FeatureState>;
  readonly archived: Map<string, FeatureState>;
  /** The lifetime of each feature type, in days; null for unlimited. */
  readonly lifetimes: Map<string, number | null>;
  readonly archivedProjects: Set<string>;
}

/** An event, with what the log says about the state before it. */
export interface PastEvent {
  readonly type: EventType;
  readonly project: string | null;
  readonly featureName: string | null;
  readonly before: {
    readonly type: string | null;
    readonly stale: boolean | null;
    readonly createdAt: string | null;
    /** The id of a feature type. */
    readonly id: string | null;
    readonly lifetimeDays: number | null;
  };
  /** The project that a moved feature left, if known. */
  readonly oldProject: string | null;
  /** The review before the event; undefined if the event did not change it. */
  readonly review: Review | null | undefined;
}

export interface Counts {
  readonly total: number;
  readonly stale: number;
  readonly potentiallyStale: number;
  readonly health: number;
}

export interface Replay {
  /** Goes back to the state before an event. Events must be passed newest first. */
  readonly undo: (event: PastEvent) => void;
  /**
   * Counts the features of each project at an instant, which must not be before the newest event that is not undone.
   */
  readonly countAt: (instant: number) => Map<string, Counts>;
  readonly isArchived: (project: string) => boolean;
}

function move(name: string, from: Map<string, FeatureState>, to: Map<string, FeatureState>): void {
  const feature = from.get(name);
  if (!feature) return;
  from.delete(name);
  to.set(name, feature);
}

const stateOf = ({ active, archived }: Present, name: string) =>
  active.get(name) ?? archived.get(name);

function setStale(present: Present, name: string, stale: boolean): void {
  const feature = stateOf(present, name);
  if (feature) feature.stale = stale;
}

type Undo = (present: Present, name: string, event: PastEvent) => void;

/** How to go back before an event, for each type that changes the counts. */
const undoing: Partial<Record<EventType, Undo>> = {
  'feature-created': ({ active, archived }, name) => {
    active.delete(name);
    archived.delete(name);
  },
  'feature-metadata-updated': (present, name, { before, review }) => {
    const feature = stateOf(present, name);
    if (!feature) return;
    feature.type = before.type ?? feature.type;
    feature.stale = before.stale ?? feature.stale;
    if (review !== undefined) feature.review = review;
  },
  'feature-stale-on': (present, name) => setStale(present, name, false),
  'feature-stale-off': (present, name) => setStale(present, name, true),
  'feature-archived': ({ active, archived }, name) => move(name, archived, active),
  'feature-revived': ({ active, archived }, name) => move(name, active, archived),
  'feature-deleted': ({ archived }, name, { project, before, review }) => {
    archived.set(name, {
      project: project ?? '',
      type: before.type ?? '',
      stale: before.stale ?? false,
      createdAt: Date.parse(before.createdAt ?? ''),
      review: review ?? null,
    });
  },
  'feature-project-change': (present, name, { oldProject }) => {
    const feature = stateOf(present, name);
    if (feature) feature.project = oldProject ?? '';
  },
  'feature-type-updated': ({ lifetimes }, _name, { before }) => {
    if (before.id !== null) lifetimes.set(before.id, before.lifetimeDays);
  },
  'project-archived': ({ archivedProjects }, _name, { project }) => {
    archivedProjects.delete(project ?? '');
  },
  'project-revived': ({ archivedProjects }, _name, { project }) => {
    archivedProjects.add(project ?? '');
  },
};

/** The event types that change the counts. */
export const countingTypes = Object.keys(undoing);

const dayMs = 86_400_000;

/** Computes the same as the view `feature_ages`. */
function isDue({ createdAt, review }: FeatureState, lifetimeDays: number | null, instant: number) {
  if (lifetimeDays === null || review?.permanent) return false;
  const endedAt = createdAt + lifetimeDays * dayMs;
  return Math.max(endedAt, review?.snoozedUntil ?? endedAt) <= instant;
}

/**
 * Goes back from the present state, event by event. So it works as far back as the log is stored, although the log no
 * longer has its beginning.
 */
export function createReplay(present: Present): Replay {
  const { active, lifetimes, archivedProjects } = present;
  return {
    undo: (event) => undoing[event.type]?.(present, event.featureName ?? '', event),
    countAt: (instant) => {
      const counted = new Map<string, { total: number; stale: number; due: number }>();
      for (const feature of active.values()) {
        let counts = counted.get(feature.project);
        if (!counts) {
          counts = { total: 0, stale: 0, due: 0 };
          counted.set(feature.project, counts);
        }
        counts.total += 1;
        const lifetimeDays = lifetimes.get(feature.type) ?? null;
        if (feature.stale) counts.stale += 1;
        else if (isDue(feature, lifetimeDays, instant)) counts.due += 1;
      }
      return new Map(
        [...counted].map(([project, { total, stale, due }]) => [
          project,
          { total, stale, potentiallyStale: due, health: healthOf(total, stale + due) },
        ]),
      );
    },
    isArchived: (project) => archivedProjects.has(project),
  };
}
