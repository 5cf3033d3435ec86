import type { Checks } from '../../../platform/http/checked.ts';
import type { CreateSavedView, contract } from './contract.ts';
import { queryFaults } from './query.ts';

export const checks = {
  createSavedView: ({ body: { page, query } }: { readonly body: Partial<CreateSavedView> }) =>
    page === undefined || query === undefined ? [] : queryFaults(page, query),
} satisfies Checks<typeof contract>;
