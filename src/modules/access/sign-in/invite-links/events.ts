import { defineEvent } from '../../../events/index.ts';

/** What the log tells of an invite link; `userId` is whom `createdBy` names, so that it can be erased. */
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
  label: 'Invite link created',
  summary: ({ user, data, bold }) => `${user} created the invite link ${bold(data.name)}`,
  personal,
});

export const inviteLinkUpdated = defineEvent<InviteLinkData>({
  type: 'public-signup-token-updated',
  label: 'Invite link updated',
  summary: ({ user, data, bold }) => `${user} changed the invite link ${bold(data.name)}`,
  personal,
});

/** Who signed up, by number: the name stands in the event of the account. */
export const signedUp = defineEvent<{ id: number; name: string; userId: number }>({
  type: 'public-signup-token-user-added',
  label: 'Signed up through invite link',
  summary: ({ data, bold }) => `Somebody signed up through the invite link ${bold(data.name)}`,
});
