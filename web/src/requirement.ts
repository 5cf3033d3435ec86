import { permissions } from '../../src/modules/access/gate/permissions.ts';
import { joinOr } from './ui/format.ts';

const names = new Map(permissions.map(({ name, displayName }) => [name, displayName]));

/** A permission in words with its id: “Create features” (CREATE_FEATURE). */
const permissionName = (id: string): string => {
  const words = names.get(id);
  return words === undefined ? id : `“${words}” (${id})`;
};

/** As many owners are named. */
const mostOwners = 3;

/** Why something is disabled, and who can help. Without `where`, such as "project default", it is about the instance. */
export const requirement = (
  needed: readonly string[],
  where?: string,
  owners: readonly string[] = [],
): string => {
  const what = joinOr(needed.map(permissionName));
  if (where === undefined) return `You need ${what}. Ask an admin.`;
  const who = owners.length === 0 ? 'a project owner or an admin' : joinOr(owners, mostOwners);
  return `You need ${what} in ${where}. Ask ${who}.`;
};
