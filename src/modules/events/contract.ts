import { facetContract } from './facets/contract.ts';
import { oneEventContract } from './one-event/contract.ts';
import { checkpointContract } from './proof/checkpoint-contract.ts';
import { contract as searchContract } from './search/contract.ts';

export const eventContract = {
  ...searchContract,
  ...facetContract,
  ...oneEventContract,
  ...checkpointContract,
};
