import { defineEvent } from '../../events/index.ts';
import type { StoredAccount } from './accounts/queries.ts';

/** What the log tells of a person. */
export interface PersonFacts {
  readonly id: number;
  readonly name: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly rootRole: number;
}

export const factsOf = ({ id, name, username, email, rootRole }: StoredAccount): PersonFacts => ({
  id,
  name,
  username,
  email,
  rootRole,
});

/** What may stand beside it, where that is what changed. Never a password, nor a link. */
interface MoreFacts {
  /** How the person came here, if no administrator created them. */
  readonly source?: string;
  readonly passwordChangedAt?: Date | null;
  readonly resetLinkExpiresAt?: Date;
  readonly externalSubject?: string | null;
}

const personal = ['name', 'username', 'email', 'externalSubject'];

type UserFacts = Readonly<Record<string, unknown>>;

/** As others know the person: the address, else the user name. */
const shown = ({ email, username, id }: UserFacts) => String(email ?? username ?? id);

export const userCreated = defineEvent<PersonFacts & MoreFacts>({
  type: 'user-created',
  label: 'User created',
  personal,
  summary: ({ user, data, bold }) => `${user} created the user ${bold(shown(data))}`,
});

const deedOf = (data: UserFacts): string => {
  if ('passwordChangedAt' in data) return 'changed the password of the user';
  if ('resetLinkExpiresAt' in data) return 'made a link to reset the password of the user';
  if ('externalSubject' in data) return 'changed the external account of the user';
  return 'changed the user';
};

export const userUpdated = defineEvent<PersonFacts & MoreFacts>({
  type: 'user-updated',
  label: 'User updated',
  personal,
  summary: ({ user, data, bold }) => `${user} ${deedOf(data)} ${bold(shown(data))}`,
});

export const userDeleted = defineEvent<PersonFacts>({
  type: 'user-deleted',
  label: 'User deleted',
  personal,
  summary: ({ user, preData, bold }) => `${user} deleted the user ${bold(shown(preData))}`,
});

/** What pages show to the person, or ask. */
export const preferenceUpdated = defineEvent<{
  readonly userId: number;
  readonly splashId?: string;
  readonly seen?: boolean;
  readonly feedbackId?: string;
  readonly neverShow?: boolean;
}>({
  type: 'user-preference-updated',
  label: 'User preference updated',
  summary: ({ user, data, bold }) =>
    `${user} changed what pages show them: ${bold(String(data.splashId ?? data.feedbackId))}`,
});
