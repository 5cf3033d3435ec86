import { defineEvent } from '../../events/index.ts';
import type { StoredAccount } from './accounts/queries.ts';

/** The data of a person in events. */
export interface UserData {
  readonly id: number;
  readonly name: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly rootRole: number;
}

export const userDataOf = ({ id, name, username, email, rootRole }: StoredAccount): UserData => ({
  id,
  name,
  username,
  email,
  rootRole,
});

/** Additional data if that is what changed. Never a password or a link. */
interface UserEventDetails {
  /** How the person was created, if not by an administrator. */
  readonly source?: string;
  readonly passwordChangedAt?: Date | null;
  readonly resetLinkExpiresAt?: Date;
  readonly externalSubject?: string | null;
  /** How many sessions were ended by somebody else. */
  readonly endedSessions?: number;
}

const personal = ['name', 'username', 'email', 'externalSubject'];

type UserEventData = Readonly<Record<string, unknown>>;

/** The e-mail address, else the user name. */
const displayName = ({ email, username, id }: UserEventData) => String(email ?? username ?? id);

export const userCreated = defineEvent<UserData & UserEventDetails>({
  type: 'user-created',
  personal,
  summary: ({ user, data, bold }) => `${user} created the user ${bold(displayName(data))}`,
});

const describeChange = (data: UserEventData): string => {
  if ('passwordChangedAt' in data) return 'changed the password of the user';
  if ('resetLinkExpiresAt' in data) return 'made a link to reset the password of the user';
  if ('endedSessions' in data) return 'ended sessions of the user';
  if ('externalSubject' in data) return 'changed the external account of the user';
  return 'changed the user';
};

export const userUpdated = defineEvent<UserData & UserEventDetails>({
  type: 'user-updated',
  personal,
  summary: ({ user, data, bold }) => `${user} ${describeChange(data)} ${bold(displayName(data))}`,
});

export const userDeleted = defineEvent<UserData>({
  type: 'user-deleted',
  personal,
  summary: ({ user, preData, bold }) => `${user} deleted the user ${bold(displayName(preData))}`,
});

/** A splash or feedback of the UI. */
export const preferenceUpdated = defineEvent<{
  readonly userId: number;
  readonly splashId?: string;
  readonly seen?: boolean;
  readonly feedbackId?: string;
  readonly neverShow?: boolean;
}>({
  type: 'user-preference-updated',
  summary: ({ user, data, bold }) =>
    `${user} changed a preference of the UI: ${bold(String(data.splashId ?? data.feedbackId))}`,
});

interface FollowData {
  readonly userId: number;
  readonly project: string;
  readonly feature?: string;
}

/**
 * Without a project and a feature of their own: what somebody follows is no change of it, and stands neither in its
 * history nor in the letters to others.
 */
const followEvent = (label: string, verb: string) =>
  defineEvent<FollowData>({
    type: 'user-preference-updated',
    label,
    summary: ({ user, data, bold }) =>
      data.feature === undefined
        ? `${user} ${verb} the project ${bold(data.project)}`
        : `${user} ${verb} the feature ${bold(data.feature)} in the project ${bold(data.project)}`,
  });

export const followAdded = followEvent('Follow added', 'follows');
export const followRemoved = followEvent('Follow removed', 'no longer follows');

export const followLettersChanged = defineEvent<{
  readonly userId: number;
  readonly letters: string;
}>({
  type: 'user-preference-updated',
  label: 'Letters about follows changed',
  summary: ({ user, data, bold }) =>
    data.letters === 'none'
      ? `${user} wants no letters about what they follow`
      : `${user} wants ${bold(data.letters)} letters about what they follow`,
});
