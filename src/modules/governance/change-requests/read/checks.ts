import type { Checks } from '../../../../platform/http/checked.ts';
import type { readContract } from './contract.ts';
import { readFilter } from './filter.ts';

export const checks = {
  searchChangeRequests: ({ query }) => readFilter(query),
} satisfies Checks<typeof readContract>;
