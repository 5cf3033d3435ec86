import { checked } from '../../../../platform/http/checked.ts';
import { applicationContract } from './contract.ts';
import { parsePaging } from './paging.ts';

const readPaging = ({ query }: { query: { limit?: string; offset?: string } }) =>
  parsePaging(query);

export const applicationEndpoints = checked(applicationContract, {
  searchApplications: readPaging,
  searchProjectApplications: readPaging,
});
