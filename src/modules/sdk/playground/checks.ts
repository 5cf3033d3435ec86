import { checked } from '../../../platform/http/checked.ts';
import { contextFaults } from './context.ts';
import { contract } from './contract.ts';

export const endpoints = checked(contract, {
  evaluate: ({ body }) => contextFaults(body.context, 'one value'),
  evaluateAll: ({ body }) => contextFaults(body.context, 'several values'),
});
