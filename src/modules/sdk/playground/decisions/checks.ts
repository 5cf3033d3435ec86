import { checked } from '../../../../platform/http/checked.ts';
import { contextFaults } from '../context.ts';
import { decisionsContract } from './contract.ts';

export const decisionsEndpoints = checked(decisionsContract, {
  // Left out where the schema has refused it.
  decide: ({ body: { contexts = [] } }) =>
    contexts.flatMap((context, index) =>
      contextFaults(context, 'several values', `/body/contexts/${index}`),
    ),
});
