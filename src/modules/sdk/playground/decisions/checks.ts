import type { Checks } from '../../../../platform/http/checked.ts';
import { contextFaults } from '../context.ts';
import type { decisionsContract } from './contract.ts';

export const checks = {
  // Left out where the schema has refused it.
  decide: ({ body: { contexts = [] } }) =>
    contexts.flatMap((context, index) =>
      contextFaults(context, 'several values', `/body/contexts/${index}`),
    ),
} satisfies Checks<typeof decisionsContract>;
