import { defineEvent, type Words } from '../../../events/index.ts';

/** `userId` is the person of `createdBy`, so that the name can be erased. */
export interface InviteLinkData {
  id: number;
  name: string;
  enabled: boolean;
  expiresAt: string;
  createdAt: string;
  createdBy: string;
  userId: number;
  role: { id: number; name: string };
}

const personal = ['createdBy'];

export const inviteLinkCreated = defineEvent<InviteLinkData>({
  type: 'public-signup-token-created',
  summary: ({ user, data, bold }) => `${user} created invite link ${bold(data.name)}`,
  personal,
});

/** A link that is only switched is enabled or disabled. */
function changeOf(data: Words['data'], preData: Words['preData']): string {
  if (data.enabled === preData.enabled || data.expiresAt !== preData.expiresAt) return 'updated';
  return data.enabled ? 'enabled' : 'disabled';
}

export const inviteLinkUpdated = defineEvent<InviteLinkData>({
  type: 'public-signup-token-updated',
  summary: ({ user, data, preData, bold }) =>
    `${user} ${changeOf(data, preData)} invite link ${bold(data.name)}`,
  personal,
});

/** `id` and `name` are those of the link. */
interface SignUpData {
  id: number;
  name: string;
  userId: number;
  userName: string;
  roleName: string;
}

export const signedUp = defineEvent<SignUpData>({
  type: 'public-signup-token-user-added',
  summary: ({ data, bold, text }) =>
    `${data.userName === undefined ? 'A user' : bold(data.userName)} signed up with invite link ${bold(data.name)}${data.roleName === undefined ? '' : ` as ${text(data.roleName)}`}`,
  personal: ['userName'],
});
