import type { Checks } from '../../../../platform/http/checked.ts';
import type { searchContract } from './contract.ts';
import { parseFeatureSearch } from './filter.ts';

export const checks = {
  searchFeatures: ({ query }) => parseFeatureSearch(query),
} satisfies Checks<typeof searchContract>;
