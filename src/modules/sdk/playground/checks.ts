import { checked } from '../../../platform/http/checked.ts';
import { contextFaults } from './context.ts';
import { contract } from './contract.ts';
import { decisionsContract } from './decisions/contract.ts';

export const endpoints = checked(contract, {
  evaluate: ({ body }) => contextFaults(body.context, 'one value'),
  evaluateAll: ({ body }) => contextFaults(body.context, 'several values'),
});

export const decisionsEndpoints = checked(decisionsContract, {
  // Left out where the schema has refused it.
  decide: ({ body: { contexts = [] } }) =>
    contexts.flatMap((context, index) =>
      contextFaults(context, 'several values', `/body/contexts/${index}`),
    ),
});
