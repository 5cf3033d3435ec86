import type { Checks } from '../../../../platform/http/checked.ts';
import { contextFaults } from '../../../sdk/playground/index.ts';
import type { previewContract } from './contract.ts';

export const checks = {
  // Left out where the schema has refused it.
  previewChangeRequest: ({ body: { contexts = [] } }) =>
    contexts.flatMap((context, index) =>
      contextFaults(context, 'several values', `/body/contexts/${index}`),
    ),
} satisfies Checks<typeof previewContract>;
