import { checked } from '../../platform/http/checked.ts';
import { changeFaults, creationFaults } from './configuration/wish-faults.ts';
import { configurationContract } from './contract/configuration.ts';
import { deliveryContract } from './contract/deliveries.ts';
import { recordContract } from './contract/records.ts';
import { parsePage, parseRecords, parseRedelivery } from './records/filter.ts';

export const configurationEndpoints = checked(configurationContract, {
  createIntegration: creationFaults,
  updateIntegration: changeFaults,
});

export const deliveryEndpoints = checked(deliveryContract, {
  listDeliveries: ({ query }) => parsePage(query),
  redeliverMany: ({ body }) => parseRedelivery(body),
});

export const recordEndpoints = checked(recordContract, {
  listRecords: ({ query }) => parseRecords(query),
});
