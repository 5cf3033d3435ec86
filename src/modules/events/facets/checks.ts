import { checked } from '../../../platform/http/checked.ts';
import { parseSearch } from '../search/filter.ts';
import { facetContract } from './contract.ts';

export const facetEndpoints = checked(facetContract, {
  countEventFacets: ({ query: { limit = '20', ...query } }) => parseSearch({ ...query, limit }),
});
