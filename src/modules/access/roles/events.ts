import { defineEvent } from '../../events/index.ts';
import type { RolePermission } from '../gate/index.ts';
import type { Role } from './contract.ts';

/** A role with its permissions. A permission without an environment applies to all of them. */
export interface RoleEventData extends Role {
  readonly permissions: readonly RolePermission[];
}

export const roleCreated = defineEvent<RoleEventData>({
  type: 'role-created',
  summary: ({ user, data, bold }) => `${user} created role ${bold(data.name)}`,
});

export const roleUpdated = defineEvent<RoleEventData>({
  type: 'role-updated',
  summary: ({ user, data, bold }) => `${user} updated role ${bold(data.name)}`,
});

export const roleDeleted = defineEvent<RoleEventData>({
  type: 'role-deleted',
  summary: ({ user, preData, bold }) => `${user} deleted role ${bold(preData.name)}`,
});
