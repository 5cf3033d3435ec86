import type { Checks } from '../../../platform/http/checked.ts';
import type { recordContract } from './contract.ts';
import type { deliveryContract } from './deliveries-contract.ts';
import { parseDeliveries, parseRecords, parseRedelivery } from './filter.ts';

export const deliveryChecks = {
  listDeliveries: ({ query }) => parseDeliveries(query),
  redeliverMany: ({ body }) => parseRedelivery(body),
} satisfies Checks<typeof deliveryContract>;

export const recordChecks = {
  listRecords: ({ query }) => parseRecords(query),
} satisfies Checks<typeof recordContract>;
