import { defineEvent } from '../../events/index.ts';

export interface GroupData {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly mappingsSSO: readonly string[];
  readonly rootRole: number | null;
  /** The ids of members who are not deleted, sorted. */
  readonly users: readonly number[];
}

/** Includes the group's roles in projects, which are deleted with it. */
export interface DeletedGroup extends GroupData {
  readonly projects: readonly { readonly project: string; readonly roles: readonly number[] }[];
}

interface Membership {
  readonly groupId: number;
  readonly groupName: string;
  readonly userId: number;
  readonly userName: string;
}

/** Erased with the person. */
const personal = ['userName'];

export const groupCreated = defineEvent<GroupData>({
  type: 'group-created',
  summary: ({ user, data, bold }) => `${user} created group ${bold(data.name)}`,
});

export const groupUpdated = defineEvent<GroupData>({
  type: 'group-updated',
  summary: ({ user, data, bold }) => `${user} updated group ${bold(data.name)}`,
});

export const groupDeleted = defineEvent<DeletedGroup>({
  type: 'group-deleted',
  summary: ({ user, preData, bold }) => `${user} deleted group ${bold(preData.name)}`,
});

export const groupUserAdded = defineEvent<Membership>({
  type: 'group-user-added',
  summary: ({ user, data, bold }) =>
    `${user} added ${bold(data.userName ?? data.userId)} to group ${bold(data.groupName)}`,
  personal,
});

export const groupUserRemoved = defineEvent<Membership>({
  type: 'group-user-removed',
  summary: ({ user, preData, bold }) =>
    `${user} removed ${bold(preData.userName ?? preData.userId)} from group ${bold(preData.groupName)}`,
  personal,
});
