import { endpoint } from '../../../platform/contract/endpoint.ts';
import { DeliveryResultSchema } from '../deliveries/contract.ts';
import { mayEdit, params, path, tag } from '../integration-path-schema.ts';

export const testSendContract = {
  testIntegration: endpoint({
    method: 'POST',
    path: `${path}/:id/test`,
    id: 'testAddon',
    tag,
    summary: 'Send a test event',
    description:
      'Makes one attempt, even if the integration is disabled or paused. Nothing is recorded. If the endpoint ' +
      'rejects the event, the request still succeeds, and `state` has the result.',
    permission: mayEdit,
    duringMaintenance: true,
    params,
    response: DeliveryResultSchema,
  }),
};
