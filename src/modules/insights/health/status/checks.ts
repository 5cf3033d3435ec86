import { checked } from '../../../../platform/http/checked.ts';
import { statusContract } from './contract.ts';
import { parseFindings } from './search.ts';

export const statusEndpoints = checked(statusContract, {
  getStatus: ({ query }) => parseFindings(query),
  getFindings: ({ query }) => parseFindings(query),
});
