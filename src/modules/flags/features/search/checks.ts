import { checked } from '../../../../platform/http/checked.ts';
import { searchContract } from './contract.ts';
import { parseFeatureSearch } from './filter.ts';

export const searchEndpoints = checked(searchContract, {
  searchFeatures: ({ query }) => parseFeatureSearch(query),
});
