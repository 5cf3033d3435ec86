import type { Checks } from '../../../platform/http/checked.ts';
import { parseSearch } from '../search/filter.ts';
import type { facetContract } from './contract.ts';

export const checks = {
  countEventFacets: ({ query: { limit = '20', ...query } }) => parseSearch({ ...query, limit }),
} satisfies Checks<typeof facetContract>;
