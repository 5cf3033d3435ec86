import type { Checks } from '../../../../platform/http/checked.ts';
import { manyExpressionsFaults } from '../../../catalogue/context-fields/index.ts';
import type { CreateChange, proposeContract } from './contract.ts';

interface Expression {
  readonly operator: 'REGEX';
  readonly value: string;
}

/** The REGEX constraints of a change whose payload is not checked yet. */
function expressionsOf({ payload }: CreateChange): Expression[] {
  const { constraints } = (payload ?? {}) as { readonly constraints?: unknown };
  if (!Array.isArray(constraints)) return [];
  return constraints.filter((each) => each?.operator === 'REGEX' && typeof each.value === 'string');
}

/** The rules of each payload depend on the environment, which is checked first. */
export const checks = {
  createChangeRequest: ({ body }) =>
    manyExpressionsFaults((Array.isArray(body) ? body : [body]).map(expressionsOf), '/body'),
} satisfies Checks<typeof proposeContract>;
