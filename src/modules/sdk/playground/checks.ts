import type { Checks } from '../../../platform/http/checked.ts';
import { contextFaults } from './context.ts';
import type { evaluateContract } from './contract.ts';

export const checks = {
  evaluate: ({ body }) => contextFaults(body.context, 'one value'),
  evaluateAll: ({ body }) => contextFaults(body.context, 'several values'),
} satisfies Checks<typeof evaluateContract>;
