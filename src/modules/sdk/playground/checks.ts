import type { Checks } from '../../../platform/http/checked.ts';
import { contextFaults } from './context.ts';
import type { contract } from './contract.ts';
import type { decisionsContract } from './decisions/contract.ts';

export const playgroundChecks = {
  evaluate: ({ body }) => contextFaults(body.context, 'one value'),
  evaluateAll: ({ body }) => contextFaults(body.context, 'several values'),
} satisfies Checks<typeof contract>;

export const decisionsChecks = {
  // Left out where the schema has refused it.
  decide: ({ body: { contexts = [] } }) =>
    contexts.flatMap((context, index) =>
      contextFaults(context, 'several values', `/body/contexts/${index}`),
    ),
} satisfies Checks<typeof decisionsContract>;
