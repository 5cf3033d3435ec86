import type { Response } from '../../api.ts';
import { type Change, changesBetween } from '../../ui/json-changes.ts';

export type Plan = Response<'POST /api/admin/events/revert'>;
export type PlannedChange = Plan['changes'][number];
export type Conflict = Plan['conflicts'][number];

/** What is to be reverted: events, or a time range. */
export type Selection =
  | { readonly eventIds: number[] }
  | {
      readonly from: string;
      readonly to: string;
      readonly environment: string;
      readonly project?: string;
    };

type Named = Pick<PlannedChange, 'type' | 'name' | 'environment'>;

/** How things outside of features are called before their names. */
const kinds: Readonly<Record<string, string>> = {
  segment: 'Segment',
  project: 'Project',
  'project-environment': 'Default strategy of',
  environment: 'Environment',
  'context-field': 'Context field',
  'strategy-type': 'Strategy type',
  'tag-type': 'Tag type',
  'feature-type': 'Feature type',
};

/** "dark-mode in production", "Segment Nordics". */
export function thingText({ type, name, environment }: Named): string {
  const kind = kinds[type];
  const what = kind === undefined ? name : `${kind} ${name}`;
  return environment === undefined ? what : `${what} in ${environment}`;
}

/** What happens to the whole thing; undefined if only some of its values change. */
export function fateText({ type, before, after }: PlannedChange): string | undefined {
  // Without a state, a feature is disabled in the environment, and has nothing there.
  if (type === 'feature-environment') return undefined;
  if (before === undefined) return type === 'feature' ? 'Created again' : 'Added again';
  if (after === undefined) return 'Deleted';
  const [was, is] = [before, after].map(
    (state) => (state as { readonly archived?: boolean }).archived === true,
  );
  if (was === is) return undefined;
  return is ? 'Archived' : 'Revived';
}

const unnamed = new Set(['createdAt', 'archived']);

/** The values that change, in words. What comes back or goes as a whole is not listed value by value. */
export const valuesOf = (before: unknown, after: unknown): readonly Change[] =>
  before === undefined || after === undefined
    ? []
    : changesBetween(before, after).filter(({ path: [key = ''] }) => !unnamed.has(key));

const fieldPart = /([^.]+)/g;

/** The property of a conflict in words: "strategies › rollout". IDs say nothing to people. */
export const fieldText = (field: string): string =>
  (field.match(fieldPart) ?? [field])
    .filter((part) => part !== 'parameters' && !/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(part))
    .join(' › ');

/** The environments in which something changes. */
export const environmentsOf = ({ changes }: Plan): readonly string[] => [
  ...new Set(changes.flatMap(({ environment }) => environment ?? [])),
];

/** The projects in which something changes. */
export const projectsOf = ({ changes }: Plan): readonly string[] => [
  ...new Set(changes.flatMap(({ project }) => project ?? [])),
];
