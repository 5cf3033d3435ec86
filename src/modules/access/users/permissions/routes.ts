import { pathId } from '../../../../platform/http/path-id.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { permissionContract } from './contract.ts';
import { describeAccess } from './service.ts';

export const permissionUseCase = defineUseCase({
  contract: permissionContract,
  routes: ({ db, settings }) => ({
    getUserPermissions: ({ params, query }) =>
      describeAccess(
        db,
        { id: pathId('user', params.id), kind: 'person' },
        query,
        settings.baseUrl,
      ),
  }),
});
