import type { Request, Response } from '../../api.ts';
import { numberText, plural } from '../../ui/format.ts';

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

/** What a button does: "Archive 12 features". `project` is the name of the project that a move goes to. */
export function actionText(
  { action, environment }: BulkChange,
  count: number,
  project: string | undefined,
): string {
  const what = features(count);
  const words: Readonly<Record<BulkAction, string>> = {
    enable: `Enable ${what} in ${environment}`,
    disable: `Disable ${what} in ${environment}`,
    tag: `Update tags on ${what}`,
    'set-owner': `Change the owner of ${what}`,
    'mark-stale': `Mark ${what} as stale`,
    'mark-active': `Mark ${what} as active`,
    complete: `Mark ${what} as completed`,
    uncomplete: `Mark ${what} as not completed`,
    archive: `Archive ${what}`,
    revive: `Revive ${what}`,
    delete: `Delete ${what} permanently`,
    move: `Move ${what} to ${project}`,
  };
  return words[action];
}

/** What was done: "12 features archived". */
export function resultOf(
  { action, environment }: BulkChange,
  count: number,
  project: string | undefined,
): string {
  const what = features(count);
  const words: Readonly<Record<BulkAction, string>> = {
    enable: `${what} enabled in ${environment}`,
    disable: `${what} disabled in ${environment}`,
    tag: `Tags updated on ${what}`,
    'set-owner': `Owner of ${what} changed`,
    'mark-stale': `${what} marked as stale`,
    'mark-active': `${what} marked as active`,
    complete: `${what} marked as completed`,
    uncomplete: `${what} marked as not completed`,
    archive: `${what} archived`,
    revive: `${what} revived, disabled in every environment`,
    delete: `${what} deleted`,
    move: `${what} moved to ${project}`,
  };
  return words[action];
}

interface OutcomeCounts {
  readonly changed: number;
  readonly unchanged: number;
  readonly proposed?: number;
  readonly refused: number;
}

const participles: Readonly<Record<Exclude<BulkAction, 'move'>, string>> = {
  enable: 'enabled',
  disable: 'disabled',
  tag: 'updated',
  'set-owner': 'updated',
  'mark-stale': 'marked as stale',
  'mark-active': 'marked as active',
  complete: 'marked as completed',
  uncomplete: 'marked as not completed',
  archive: 'archived',
  revive: 'revived',
  delete: 'deleted',
};

/** What features are that need no change. */
const states: Partial<Readonly<Record<BulkAction, string>>> = {
  enable: 'enabled',
  disable: 'disabled',
  'mark-stale': 'stale',
  'mark-active': 'active',
  complete: 'completed',
  archive: 'archived',
};

/** What happens to a selection: "12 will be disabled · 3 already disabled · 2 can't be changed". */
export function outcomeSummary(
  { action }: BulkChange,
  { changed, unchanged, proposed = 0, refused }: OutcomeCounts,
  isDone: boolean,
  project: string | undefined,
): string {
  const participle = action === 'move' ? `moved to ${project}` : participles[action];
  const state = action === 'move' ? `in ${project}` : (states[action] ?? 'up to date');
  return [
    ...(changed > 0 || refused + unchanged + proposed === 0
      ? [`${numberText(changed)} ${isDone ? participle : `will be ${participle}`}`]
      : []),
    ...(proposed > 0
      ? [`${numberText(proposed)} ${isDone ? 'proposed' : 'will be proposed'}`]
      : []),
    ...(unchanged > 0 ? [`${numberText(unchanged)} already ${state}`] : []),
    ...(refused > 0 ? [`${numberText(refused)} can't be changed`] : []),
  ].join(' · ');
}
