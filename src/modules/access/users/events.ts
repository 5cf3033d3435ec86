import { defineEvent, personName, type Words } from '../../events/index.ts';
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
  /** How many sessions another user ended. */
  readonly endedSessions?: number;
}

const personal = ['name', 'username', 'email', 'externalSubject'];

export const userCreated = defineEvent<UserData & UserEventDetails>({
  type: 'user-created',
  personal,
  summary: ({ user, data, bold }) =>
    data.source === undefined
      ? `${user} created user ${bold(personName(data))}`
      : `${bold(personName(data))} joined`,
});

const describeChange = (data: Words['data']): string => {
  if ('passwordChangedAt' in data) return 'changed the password for';
  if ('resetLinkExpiresAt' in data) return 'created a password reset link for';
  if ('endedSessions' in data) return 'ended sessions of';
  if ('externalSubject' in data) return 'changed the single sign-on account of';
  return 'updated user';
};

export const userUpdated = defineEvent<UserData & UserEventDetails>({
  type: 'user-updated',
  personal,
  summary: ({ user, data, bold }) => {
    const isOwn = [data.username, data.email].some((login) => login && bold(login) === user);
    if (isOwn && 'passwordChangedAt' in data) return `${user} changed their password`;
    return `${user} ${describeChange(data)} ${bold(personName(data))}`;
  },
});

export const userDeleted = defineEvent<UserData>({
  type: 'user-deleted',
  personal,
  summary: ({ user, preData, bold }) => `${user} deleted user ${bold(personName(preData))}`,
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
    `${user} updated UI preference ${bold(String(data.splashId ?? data.feedbackId))}`,
});

interface FollowData {
  readonly userId: number;
  readonly project: string;
  readonly feature?: string;
}

/**
 * Without a project and a feature of their own: following changes neither, so that it appears neither in their history
 * nor in emails to others.
 */
const followEvent = (label: string, verb: string) =>
  defineEvent<FollowData>({
    type: 'user-preference-updated',
    label,
    summary: ({ user, data, bold }) =>
      data.feature === undefined
        ? `${user} ${verb} project ${bold(data.project)}`
        : `${user} ${verb} ${bold(data.feature)}`,
  });

export const followAdded = followEvent('Follow added', 'followed');
export const followRemoved = followEvent('Follow removed', 'unfollowed');

export const followLettersChanged = defineEvent<{
  readonly userId: number;
  readonly letters: string;
}>({
  type: 'user-preference-updated',
  label: 'Email notifications updated',
  summary: ({ user, data, text }) =>
    data.letters === 'none'
      ? `${user} turned off email notifications`
      : `${user} turned on ${text(data.letters)} email notifications`,
});

export const directEmailsChanged = defineEvent<{
  readonly userId: number;
  readonly direct: boolean;
}>({
  type: 'user-preference-updated',
  label: 'Direct emails changed',
  summary: ({ user, data }) =>
    `${user} turned ${data.direct ? 'on' : 'off'} emails about change requests`,
});
