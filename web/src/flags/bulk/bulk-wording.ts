import type { Request, Response } from '../../api.ts';
import { plural } from '../../ui/format.ts';

type Operation = 'POST /api/admin/features/bulk';
type Body = NonNullable<Request<Operation>['body']>;
export type BulkChange = Omit<Body, 'features'>;
export type BulkAction = Body['action'];
export type Outcome = Response<Operation>['features'][number];

/** What takes an action back. */
export function inverseOf(change: BulkChange): BulkChange | undefined {
  const { action, addedTags, removedTags } = change;
  const inverse = {
    enable: 'disable',
    disable: 'enable',
    'mark-stale': 'mark-active',
    'mark-active': 'mark-stale',
    archive: 'revive',
  } as const;
  if (action === 'tag') {
    return {
      action,
      ...(removedTags && { addedTags: removedTags }),
      ...(addedTags && { removedTags: addedTags }),
    };
  }
  return action in inverse
    ? { ...change, action: inverse[action as keyof typeof inverse] }
    : undefined;
}

const features = (count: number) => plural(count, 'feature');

/** What a button does: "Archive 12 features". */
export function wishOf({ action, environment, newProjectId }: BulkChange, count: number): string {
  const what = features(count);
  const words: Readonly<Record<BulkAction, string>> = {
    enable: `Enable ${what} in ${environment}`,
    disable: `Disable ${what} in ${environment}`,
    tag: `Change the tags of ${what}`,
    'mark-stale': `Mark ${what} as stale`,
    'mark-active': `Mark ${what} as not stale`,
    complete: `Complete ${what}`,
    uncomplete: `Mark ${what} as not completed`,
    archive: `Archive ${what}`,
    revive: `Revive ${what}`,
    delete: `Delete ${what} for ever`,
    move: `Move ${what} to ${newProjectId}`,
  };
  return words[action];
}

/** What was done: "12 features archived". */
export function resultOf({ action, environment, newProjectId }: BulkChange, count: number): string {
  const what = features(count);
  const words: Readonly<Record<BulkAction, string>> = {
    enable: `${what} enabled in ${environment}`,
    disable: `${what} disabled in ${environment}`,
    tag: `Tags updated on ${what}`,
    'mark-stale': `${what} marked as stale`,
    'mark-active': `${what} marked as active`,
    complete: `${what} marked as completed`,
    uncomplete: `${what} marked as not completed`,
    archive: `${what} archived`,
    revive: `${what} revived, disabled in every environment`,
    delete: `${what} deleted`,
    move: `${what} moved to ${newProjectId}`,
  };
  return words[action];
}
