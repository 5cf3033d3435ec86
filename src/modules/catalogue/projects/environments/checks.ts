import type { Checks } from '../../../../platform/http/checked.ts';
import { constraintFaults } from '../../context-fields/index.ts';
import { strategyFaults } from '../../strategy-types/index.ts';
import type { environmentContract } from './contract.ts';

export const checks = {
  setDefaultStrategy: ({ body }) => [
    ...strategyFaults(body),
    ...constraintFaults(body.constraints ?? [], '/body/constraints'),
  ],
} satisfies Checks<typeof environmentContract>;
