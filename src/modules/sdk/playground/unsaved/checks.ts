import type { Checks } from '../../../../platform/http/checked.ts';
import {
  expressionFaults,
  manyExpressionsFaults,
} from '../../../catalogue/context-fields/index.ts';
import { inputFaults, variantFaults } from '../../../flags/features/index.ts';
import { contextFaults } from '../context.ts';
import type { unsavedContract } from './contract.ts';

export const checks = {
  evaluateUnsaved: ({ body: { context, strategies = [], variants = [] } }) => {
    const at = '/body/strategies';
    const lists = strategies.map(({ constraints = [] }) => constraints);
    const tooMany = manyExpressionsFaults(lists, at);
    if (tooMany.length > 0) return tooMany;
    return [
      ...contextFaults(context, 'several values'),
      ...strategies.flatMap((strategy, index) => inputFaults(strategy, `${at}/${index}`)),
      ...lists.flatMap((list, index) => expressionFaults(list, `${at}/${index}/constraints`)),
      ...variantFaults(variants, '/body/variants'),
    ];
  },
} satisfies Checks<typeof unsavedContract>;
