import type { FeatureSetChange } from '../../../flags/features/index.ts';

/** What a change is about. */
export interface Subject {
  readonly feature: string | null;
  readonly segmentId: number | null;
  readonly action: string;
  readonly payload: unknown;
}

/** A change, or a part of a change set. */
export interface ChangedPart {
  readonly action?: string;
  readonly payload?: unknown;
}

/** The changes that a change set makes as one. */
export const partsOf = ({ action, payload }: Pick<Subject, 'action' | 'payload'>) =>
  action === 'saveFeatureChanges'
    ? (payload as { readonly changes: readonly FeatureSetChange[] }).changes
    : [];
