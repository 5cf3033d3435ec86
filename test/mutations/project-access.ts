import { group } from '../support/groups.ts';
import { person } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

const project = '/api/admin/projects/default';
const owner = 4;
const member = 5;

interface Held {
  readonly id: number;
  readonly roles: readonly number[];
}

export const projectAccessMutations: Mutations = {
  scenarios: {
    addAccessToProject: async (ask, app) => {
      const [somebody, some] = [await person(app), await group(app)];
      return ask(`POST ${project}/access`, {
        payload: { roles: [member], groups: [some.id], users: [somebody.id] },
      });
    },
    setProjectAccess: async (ask, app) => {
      // Keeps the access of others, which later requests may need.
      const { users, groups }: Record<'users' | 'groups', Held[]> = (
        await ask(`GET ${project}/access`)
      ).json();
      const having = (role: number, held: readonly Held[]) =>
        held.filter(({ roles }) => roles.includes(role)).map(({ id }) => id);
      const roles = [...new Set([member, ...[...users, ...groups].flatMap((each) => each.roles)])];
      const { id: somebody } = await person(app);
      return ask(`PUT ${project}/access`, {
        payload: {
          roles: roles.map((id) => ({
            id,
            groups: having(id, groups),
            users: [...having(id, users), ...(id === member ? [somebody] : [])],
          })),
        },
      });
    },
    setRolesForUser: async (ask, app) => {
      const { id } = await person(app);
      return ask(`PUT ${project}/users/${id}/roles`, { payload: { roles: [member] } });
    },
    removeUserAccess: async (ask, app) => {
      const { id } = await person(app, { roles: { default: member } });
      return ask(`DELETE ${project}/users/${id}/roles`);
    },
    setRolesForGroup: async (ask, app) => {
      const { id } = await group(app);
      return ask(`PUT ${project}/groups/${id}/roles`, { payload: { roles: [member] } });
    },
    removeGroupAccess: async (ask, app) => {
      const { id } = await group(app, { roles: { default: member } });
      return ask(`DELETE ${project}/groups/${id}/roles`);
    },
    addRoleToUser: async (ask, app) => {
      const { id } = await person(app);
      return ask(`POST ${project}/users/${id}/roles/${member}`);
    },
    changeRoleForUser: async (ask, app) => {
      const { id } = await person(app, { roles: { default: member } });
      return ask(`PUT ${project}/users/${id}/roles/${owner}`);
    },
    removeRoleForUser: async (ask, app) => {
      const { id } = await person(app, { roles: { default: member } });
      return ask(`DELETE ${project}/users/${id}/roles/${member}`);
    },
    addRoleToGroup: async (ask, app) => {
      const { id } = await group(app);
      return ask(`POST ${project}/groups/${id}/roles/${member}`);
    },
    changeRoleForGroup: async (ask, app) => {
      const { id } = await group(app, { roles: { default: member } });
      return ask(`PUT ${project}/groups/${id}/roles/${owner}`);
    },
    removeRoleForGroup: async (ask, app) => {
      const { id } = await group(app, { roles: { default: member } });
      return ask(`DELETE ${project}/groups/${id}/roles/${member}`);
    },
    addRoleAccessToProject: async (ask, app) => {
      const [somebody, some] = [await person(app), await group(app)];
      return ask(`POST ${project}/role/${member}/access`, {
        payload: { groups: [{ id: some.id }], users: [{ id: somebody.id }] },
      });
    },
  },
  conflicts: {},
  changesNothing: {},
};
