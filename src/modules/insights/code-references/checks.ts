import type { Checks } from '../../../platform/http/checked.ts';
import { maxLimit, parseSearch } from '../../events/index.ts';
import type { contract } from './contract.ts';

interface PageQuery {
  readonly limit?: string;
  readonly offset?: string;
}

/** Limits above 1000 are treated as 1000. */
function parsePage({ limit, offset }: PageQuery) {
  const { paging, faults } = parseSearch({
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
  });
  return { limit: Math.min(paging.limit, maxLimit), offset: paging.offset, faults };
}

export const checks = {
  listCodeReferences: ({ query }) => parsePage(query),
} satisfies Checks<typeof contract>;
