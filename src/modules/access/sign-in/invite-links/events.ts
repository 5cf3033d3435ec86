import { defineEvent } from '../../../events/index.ts';

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
  summary: ({ user, data, bold }) => `${user} created the invite link ${bold(data.name)}`,
  personal,
});

export const inviteLinkUpdated = defineEvent<InviteLinkData>({
  type: 'public-signup-token-updated',
  summary: ({ user, data, bold }) => `${user} changed the invite link ${bold(data.name)}`,
  personal,
});

/** The person who signed up is given by id. The event of the account has the name. */
export const signedUp = defineEvent<{ id: number; name: string; userId: number }>({
  type: 'public-signup-token-user-added',
  summary: ({ data, bold }) => `Somebody signed up through the invite link ${bold(data.name)}`,
});
