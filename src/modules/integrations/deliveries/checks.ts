import { checked } from '../../../platform/http/checked.ts';
import { recordContract } from './contract.ts';
import { deliveryContract } from './deliveries-contract.ts';
import { parseDeliveries, parseRecords, parseRedelivery } from './filter.ts';

export const deliveryEndpoints = checked(deliveryContract, {
  listDeliveries: ({ query }) => parseDeliveries(query),
  redeliverMany: ({ body }) => parseRedelivery(body),
});

export const recordEndpoints = checked(recordContract, {
  listRecords: ({ query }) => parseRecords(query),
});
