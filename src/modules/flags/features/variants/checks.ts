import type { Checks } from '../../../../platform/http/checked.ts';
import { patchFaults } from '../../../../platform/http/json-patch.ts';
import type { variantContract } from './contract.ts';
import { variantFaults } from './variant.ts';

export const checks = {
  replaceEnvironmentVariants: ({ body }) => variantFaults(body, '/body'),
  patchEnvironmentVariants: ({ body }) => patchFaults(body),
  replaceVariantsInBatch: ({ body }) => variantFaults(body.variants ?? [], '/body/variants'),
  replaceVariants: ({ body }) => variantFaults(body, '/body'),
  patchVariants: ({ body }) => patchFaults(body),
} satisfies Checks<typeof variantContract>;
