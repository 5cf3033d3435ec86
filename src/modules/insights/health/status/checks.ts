import type { Checks } from '../../../../platform/http/checked.ts';
import type { statusContract } from './contract.ts';
import { parseFindings } from './search.ts';

export const checks = {
  getStatus: ({ query }) => parseFindings(query),
  getFindings: ({ query }) => parseFindings(query),
} satisfies Checks<typeof statusContract>;
