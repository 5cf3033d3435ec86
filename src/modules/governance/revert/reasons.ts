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
  ['tag-created', 'Tags are kept for reuse'],
  ['tag-deleted', 'Deleted tags are created again when they are used'],
  ['change-added', 'Edit the change request'],
  ['change-discarded', 'Edit the change request'],
  ['change-edited', 'Edit the change request'],
  ['user-preference-', 'Users change their own preferences'],
  ['user-created', 'Delete the account under Administration'],
  ['user-deleted', 'Deleted accounts are erased, including their credentials'],
  ['service-account-created', 'Delete the account under Administration'],
  ['service-account-deleted', 'Deleted accounts are erased, including their tokens'],
  ['scim-', 'Deleted accounts are erased'],
  ['features-exported', 'An export changes nothing'],
  ['features-imported', 'Revert the events of the features'],
];

const isOfAccount = (type: string): boolean => /^(user|service-account)-updated$/.test(type);

const onlyRootRole =
  'Only the root role of an account can be reverted: the history has no names, email addresses, or passwords';

/** What stays of an event that is reverted otherwise. */
export function restOf({ type, data, preData }: SelectedEvent): string | undefined {
  if (!isOfAccount(type)) return undefined;
  const isOther = ['name', 'username', 'email'].some((key) => data?.[key] !== preData?.[key]);
  return isOther ? onlyRootRole : undefined;
}

/** Why an event can't be reverted, whatever happened since. */
export function reasonOf(
  { type, data }: SelectedEvent,
  gap: ReturnType<EventChanges['gapAt']>,
  changes: readonly StateChange[],
): string | undefined {
  if (data?.importedId !== undefined) return 'It was imported from another installation';
  if (type.startsWith('change-request-') && type !== 'change-request-configuration-updated') {
    return 'Revert the events of its changes';
  }
  const known = ofTypes.find(([start]) => type.startsWith(start))?.[1];
  if (known) return known;
  if (gap !== undefined) return ofGap[gap];
  if (changes.length > 0) return undefined;
  if (isOfAccount(type)) return onlyRootRole;
  if (type.startsWith('setting-') && data?.hideEventDetails) {
    return "Only the secret was changed, which isn't in the log";
  }
  // An event about all properties comes before it.
  return type.startsWith('feature-stale-')
    ? 'Another event of the same request made this change. Revert that one'
    : 'It changed nothing that can be reverted';
}
