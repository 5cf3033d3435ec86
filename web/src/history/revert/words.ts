import type { Response } from '../../api.ts';
import type { Directory } from '../../directory.ts';
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
  'project-environment': 'Settings of',
  environment: 'Environment',
  'context-field': 'Context field',
  'strategy-type': 'Strategy type',
  'tag-type': 'Tag type',
  'feature-type': 'Feature type',
  role: 'Role',
  group: 'Group',
};

/** The settings in the words of their pages. */
const settings: Readonly<Record<string, string>> = {
  'maintenance.mode': 'Maintenance mode',
  'unleash.frontend': 'CORS origins',
  'unleash.auth.simple': 'Password sign-in',
  'unleash.enterprise.auth.oidc': 'Single sign-on',
  'burgee.event-retention': 'Event retention',
};

/** Something of a user or group, whose ID is the last part of the name. */
const held: Readonly<Record<string, (whole: string, id: number, directory: Directory) => string>> =
  {
    'project-user': (project, id, { user }) =>
      `Roles of ${user(id)?.name ?? `user ${id}`} in ${project}`,
    'project-group': (project, id, { group }) => `Roles of group ${group(id) ?? id} in ${project}`,
    'group-user': (group, id, directory) =>
      `${directory.user(id)?.name ?? `User ${id}`} in group ${directory.group(Number(group)) ?? group}`,
    account: (_, id, { user }) => `Root role of ${user(id)?.name ?? `account ${id}`}`,
  };

/** "dark-mode in production", "Segment Nordics". */
export function thingText({ type, name, environment }: Named, directory: Directory): string {
  const holder = held[type];
  if (holder) {
    const end = name.lastIndexOf(':');
    return holder(name.slice(0, Math.max(end, 0)), Number(name.slice(end + 1)), directory);
  }
  if (type === 'setting') return settings[name] ?? name;
  const kind = kinds[type];
  const what = kind === undefined ? name : `${kind} ${name}`;
  return environment === undefined ? what : `${what} in ${environment}`;
}

/** They belong to something that stays. */
const partTypes = new Set(['project-environment', 'group-user']);

/** The state with a name for each of its values. */
export const withKeys = (state: unknown): unknown =>
  Array.isArray(state) ? { roles: state } : state;

/** What happens to the whole thing; undefined if only some of its values change. */
export function fateText({ type, before, after }: PlannedChange): string | undefined {
  // Without a state, a feature is disabled in the environment, and has nothing there.
  if (type === 'feature-environment') return undefined;
  if (before === undefined) return type === 'feature' ? 'Created again' : 'Added again';
  if (after === undefined) return partTypes.has(type) ? 'Removed' : 'Deleted';
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
