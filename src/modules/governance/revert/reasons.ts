import type { EventChanges, StateChange } from '../../history/index.ts';
import type { SelectedEvent } from './plan.ts';

const ofGap: Readonly<Record<NonNullable<ReturnType<EventChanges['gapAt']>>, string>> = {
  beginning: 'The state before it is unknown: the history of this installation begins later',
  import: 'The state before it is unknown: an import was running',
  unknown: 'The state before it is unknown: an event of an earlier version does not say enough',
};

/** By the beginning of the type, the most specific first. */
const ofTypes: readonly (readonly [string, string])[] = [
  ['api-token-', 'A secret that was shown, or deleted, cannot come back'],
  ['pat-', 'A secret that was shown, or deleted, cannot come back'],
  ['public-signup-token-', 'A secret that was shown, or deleted, cannot come back'],
  ['signal-endpoint-', 'A secret that was shown, or deleted, cannot come back'],
  ['addon-', 'Integrations have secrets, which the log does not contain'],
  ['change-request-configuration-updated', 'Approval settings are changed in the project'],
  ['project-created', 'Projects are deleted in their settings'],
  ['project-deleted', 'A deleted project has lost its tokens and access, and cannot come back'],
  ['project-environment-', 'Environments of a project are changed in the project'],
  ['project-access-', 'Access is changed in the project'],
  ['project-user-', 'Access is changed in the project'],
  ['project-group-', 'Access is changed in the project'],
  ['environment-created', 'Environments are deleted in the administration'],
  ['environment-deleted', 'A deleted environment has lost its tokens, and cannot come back'],
  ['role-', 'Roles are changed in the administration'],
  ['group-', 'Groups are changed in the administration'],
  ['setting-', 'Settings of the installation are changed in the administration'],
  ['tag-created', 'Tags stay, because they can be used again'],
  ['tag-deleted', 'Tags are created again when they are used'],
  ['change-request-', 'Revert the events of the changes that it made'],
  ['change-', 'Drafts of change requests are changed there'],
  ['user-preference-', 'Preferences belong to their user'],
  ['user-', 'Accounts are changed in the administration of users'],
  ['service-account-', 'Accounts are changed in the administration of users'],
  ['scim-', 'Accounts are changed in the administration of users'],
  ['features-exported', 'An export changes nothing'],
  ['features-imported', 'Revert the events of the features that it changed'],
];

/** Why an event can't be reverted, whatever happened since. */
export function reasonOf(
  { type, data }: SelectedEvent,
  gap: ReturnType<EventChanges['gapAt']>,
  changes: readonly StateChange[],
): string | undefined {
  if (data?.importedId !== undefined) return 'It happened in another installation';
  const known = ofTypes.find(([start]) => type.startsWith(start))?.[1];
  if (known) return known;
  if (gap !== undefined) return ofGap[gap];
  if (changes.length > 0) return undefined;
  // An event about all properties comes before it.
  return type.startsWith('feature-stale-')
    ? 'Another event of the same request made this change. Revert that one'
    : 'It changed nothing that can be reverted';
}
