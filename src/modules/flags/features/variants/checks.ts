import { checked } from '../../../../platform/http/checked.ts';
import { patchFaults } from '../../../../platform/http/json-patch.ts';
import { variantContract } from './contract.ts';
import { variantFaults } from './variant.ts';

export const variantEndpoints = checked(variantContract, {
  replaceEnvironmentVariants: ({ body }) => variantFaults(body, '/body'),
  patchEnvironmentVariants: ({ body }) => patchFaults(body),
  replaceVariantsInBatch: ({ body }) => variantFaults(body.variants ?? [], '/body/variants'),
  replaceVariants: ({ body }) => variantFaults(body, '/body'),
  patchVariants: ({ body }) => patchFaults(body),
});
