import type { FastifyInstance } from 'fastify';
import { pathId } from '../../../../platform/http/path-id.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { permissionContract } from './contract.ts';
import { describeAccess } from './service.ts';

export function permissionRoutes(app: FastifyInstance, { db, settings }: Services): void {
  route(app, permissionContract.getUserPermissions, ({ params, query }) =>
    describeAccess(db, { id: pathId('user', params.id), kind: 'person' }, query, settings.baseUrl),
  );
}
