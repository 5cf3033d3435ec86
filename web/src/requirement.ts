import { permissions } from '../../src/modules/access/gate/permissions.ts';
import { joinOr } from './ui/format.ts';

const names = new Map(permissions.map(({ name, displayName }) => [name, displayName]));

/** A permission in words with its id: “Create features” (CREATE_FEATURE). */
const permissionName = (id: string): string => {
  const words = names.get(id);
  return words === undefined ? id : `“${words}” (${id})`;
};

/** Why something is disabled, and who can help. Without `where`, such as "project default", it is about the instance. */
export const requirement = (needed: readonly string[], where?: string): string => {
  const what = joinOr(needed.map(permissionName));
  return where === undefined
    ? `You need ${what}. Ask an admin.`
    : `You need ${what} in ${where}. Ask a project owner or an admin.`;
};
