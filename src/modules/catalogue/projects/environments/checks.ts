import { checked } from '../../../../platform/http/checked.ts';
import { constraintFaults } from '../../context-fields/index.ts';
import { strategyFaults } from '../../strategy-types/index.ts';
import { environmentContract } from './contract.ts';

export const environmentEndpoints = checked(environmentContract, {
  setDefaultStrategy: ({ body }) => [
    ...strategyFaults(body),
    ...constraintFaults(body.constraints ?? [], '/body/constraints'),
  ],
});
