import type { FastifyInstance } from 'fastify';
import { pathId } from '../../../platform/http/path-id.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { listPermissions } from './catalogue.ts';
import { endpoints } from './checks.ts';
import { listRoles } from './queries.ts';
import {
  changeRole,
  createRole,
  getRole,
  listVisibleRoleUsage,
  removeRole,
  validateName,
} from './service.ts';

/** The version of the response format, as in the reference product. */
const version = 1;

const roleIdOf = ({ roleId }: { readonly roleId: string }) => pathId('role', roleId);

export function roleRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, endpoints.listRoles, async () => ({ version, roles: await listRoles(db) }));

  route(app, endpoints.getRole, ({ params }) => getRole(db, roleIdOf(params)));

  route(app, endpoints.listRoleUsage, async ({ params }, { actor }) => ({
    projects: await listVisibleRoleUsage(db, actor, roleIdOf(params)),
  }));

  route(app, endpoints.listPermissions, async () => ({
    version,
    permissions: await listPermissions(db),
  }));

  route(app, endpoints.createRole, async ({ body }, { actor }) => ({
    version,
    roles: await transact(actor, (tx) => createRole(tx, body)),
  }));

  route(app, endpoints.validateRoleName, ({ body }) => validateName(db, body.name));

  route(app, endpoints.updateRole, async ({ params, body }, { actor }) => ({
    version,
    roles: await transact(actor, (tx) => changeRole(tx, roleIdOf(params), body)),
  }));

  route(app, endpoints.deleteRole, ({ params }, { actor }) =>
    transact(actor, (tx) => removeRole(tx, roleIdOf(params))),
  );
}
