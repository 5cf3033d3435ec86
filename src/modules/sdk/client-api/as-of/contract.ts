import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { asOf } from '../../../../platform/contract/schema.ts';
import { ClientFeaturesSchema } from '../schema.ts';

export const asOfContract = {
  getClientFeaturesAsOf: endpoint({
    method: 'GET',
    path: '/api/admin/environments/:name/client-features',
    id: 'getEnvironmentClientFeatures',
    largeResponse: true,
    tag: 'Environments',
    summary: 'Get what backend SDKs receive, now or earlier',
    description:
      'All features of all projects in the environment, in the format of `/api/client/features`, with segments by reference. 404 if the state at that moment is unknown.',
    permission: 'ADMIN',
    params: Type.Object({ name: Type.String() }),
    query: Type.Object({ asOf: Type.Optional(asOf) }),
    response: ClientFeaturesSchema,
  }),
};
