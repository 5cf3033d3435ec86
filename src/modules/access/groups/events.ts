import { defineEvent } from '../../events/index.ts';

export interface GroupFacts {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly mappingsSSO: readonly string[];
  readonly rootRole: number | null;
  /** The ids of those who live, in their order. */
  readonly users: readonly number[];
}

/** What a group could do, too: its roles in projects go with it. */
export interface DeletedGroup extends GroupFacts {
  readonly projects: readonly { readonly project: string; readonly roles: readonly number[] }[];
}

interface Membership {
  readonly groupId: number;
  readonly groupName: string;
  readonly userId: number;
}

export const groupCreated = defineEvent<GroupFacts>({
  type: 'group-created',
  label: 'Group created',
  summary: ({ user, data, bold }) => `${user} created the group ${bold(data.name)}`,
});

export const groupUpdated = defineEvent<GroupFacts>({
  type: 'group-updated',
  label: 'Group updated',
  summary: ({ user, data, bold }) => `${user} changed the group ${bold(data.name)}`,
});

export const groupDeleted = defineEvent<DeletedGroup>({
  type: 'group-deleted',
  label: 'Group deleted',
  summary: ({ user, preData, bold }) => `${user} deleted the group ${bold(preData.name)}`,
});

export const groupUserAdded = defineEvent<Membership>({
  type: 'group-user-added',
  label: 'User added to group',
  summary: ({ user, data, bold }) =>
    `${user} added the user ${bold(data.userId)} to the group ${bold(data.groupName)}`,
});

export const groupUserRemoved = defineEvent<Membership>({
  type: 'group-user-removed',
  label: 'User removed from group',
  summary: ({ user, preData, bold }) =>
    `${user} removed the user ${bold(preData.userId)} from the group ${bold(preData.groupName)}`,
});
