import { canonical, type Json, sha256 } from '../../events/index.ts';

/** A change of a request, as stored. */
export interface StoredChange {
  readonly id: number;
  readonly feature: string | null;
  readonly segmentId: number | null;
  readonly action: string;
  readonly payload: Json;
  readonly base: Json | null;
  readonly featureCreatedAt: Date | null;
  /**
   * A hash of the constraints of each segment that its strategies and the default ones that it adds use, by id; null if
   * they use none.
   */
  readonly usedSegments: Json | null;
  readonly createdBy: string;
  readonly createdByUserId: number;
  readonly createdAt: Date;
}

/**
 * The hash of the ordered changes. An approval counts for one hash, so every edit voids it. The base is part of it:
 * who approves a change also approves what it replaces, and whom the segments of its strategies describe.
 */
export const hashOf = (
  changes: readonly Pick<
    StoredChange,
    'feature' | 'action' | 'payload' | 'base' | 'usedSegments'
  >[],
): Buffer =>
  sha256(
    canonical(
      changes.map(({ feature, action, payload, base, usedSegments }) => ({
        ...{ feature, action, payload, base },
        ...(usedSegments !== null && { usedSegments }),
      })),
    ),
  );
