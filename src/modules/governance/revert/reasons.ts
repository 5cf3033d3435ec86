import type { EventChanges, StateChange } from '../../history/index.ts';
import type { SelectedEvent } from './plan.ts';

const ofGap: Readonly<Record<NonNullable<ReturnType<EventChanges['gapAt']>>, string>> = {
  beginning: 'The state before it is unknown: the history of this installation begins later',
  import: 'The state before it is unknown: an import was running',
  unknown:
    "The state before it is unknown: an event recorded by an earlier version doesn't have enough detail",
};

/** By the beginning of the type, the most specific first. */
const ofTypes: readonly (readonly [string, string])[] = [
  ['api-token-', "Secrets that were shown or deleted can't be restored"],
  ['pat-', "Secrets that were shown or deleted can't be restored"],
  ['public-signup-token-', "Secrets that were shown or deleted can't be restored"],
  ['signal-endpoint-', "Secrets that were shown or deleted can't be restored"],
  ['addon-', "Integrations contain secrets, which aren't in the log"],
  ['change-request-configuration-updated', 'Change these settings in the project settings'],
  ['project-created', 'Delete the project in its settings'],
  ['project-environment-', 'Change the environments in the project settings'],
  ['environment-created', 'Delete the environment in its settings'],
  ['environment-deleted', "Deleted environments lose their tokens and can't be restored"],
  ['role-', 'Change the role under Administration'],
  ['group-', 'Change the group under Administration'],
  ['setting-', 'Change the setting under Administration'],
  ['tag-created', 'Tags are kept for reuse'],
  ['tag-deleted', 'Deleted tags are created again when they are used'],
  ['change-request-', 'Revert the events of its changes'],
  ['change-', 'Edit the change request'],
  ['user-preference-', 'Users change their own preferences'],
  ['user-', 'Change the account under Administration'],
  ['service-account-', 'Change the account under Administration'],
  ['scim-', 'Change the account under Administration'],
  ['features-exported', 'An export changes nothing'],
  ['features-imported', 'Revert the events of the features'],
];

/** Why an event can't be reverted, whatever happened since. */
export function reasonOf(
  { type, data }: SelectedEvent,
  gap: ReturnType<EventChanges['gapAt']>,
  changes: readonly StateChange[],
): string | undefined {
  if (data?.importedId !== undefined) return 'It was imported from another installation';
  const known = ofTypes.find(([start]) => type.startsWith(start))?.[1];
  if (known) return known;
  if (gap !== undefined) return ofGap[gap];
  if (changes.length > 0) return undefined;
  // An event about all properties comes before it.
  return type.startsWith('feature-stale-')
    ? 'Another event of the same request made this change. Revert that one'
    : 'It changed nothing that can be reverted';
}
