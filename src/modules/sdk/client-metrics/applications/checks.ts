import type { Checks } from '../../../../platform/http/checked.ts';
import type { applicationContract } from './contract.ts';
import { parsePaging } from './paging.ts';

const readPaging = ({ query }: { query: { limit?: string; offset?: string } }) =>
  parsePaging(query);

export const checks = {
  searchApplications: readPaging,
  searchProjectApplications: readPaging,
} satisfies Checks<typeof applicationContract>;
