import { Type } from 'typebox';
import { endpoint } from '../../../../../platform/contract/endpoint.ts';
import { named, sortOrder } from '../../../../../platform/contract/schema.ts';
import { featureEnvironmentParams, featureEnvironmentPath, scope } from '../../address-schema.ts';

const SetSortOrderSchema = named(
  'setStrategySortOrderSchema',
  Type.Array(Type.Object({ id: Type.String(), sortOrder }), {
    maxItems: 100,
  }),
);

export const contract = {
  setStrategySortOrder: endpoint({
    method: 'POST',
    path: `${featureEnvironmentPath}/strategies/set-sort-order`,
    id: 'setStrategySortOrder',
    proposable: true,
    tag: 'Strategies',
    summary: "Set the sort order of a feature's strategies",
    permission: 'UPDATE_FEATURE_STRATEGY',
    scope,
    params: featureEnvironmentParams,
    body: SetSortOrderSchema,
  }),
};
