import { configurationContract } from './configuration/contract.ts';
import { recordContract } from './deliveries/contract.ts';
import { deliveryContract } from './deliveries/deliveries-contract.ts';
import { ofEventContract } from './of-event/contract.ts';
import { previewContract } from './preview/contract.ts';
import { testSendContract } from './test-send/contract.ts';

export const integrationContract = {
  ...configurationContract,
  ...previewContract,
  ...testSendContract,
  ...recordContract,
  ...deliveryContract,
  ...ofEventContract,
};
