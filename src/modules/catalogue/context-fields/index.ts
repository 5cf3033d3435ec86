import { defineModule } from '../../../platform/module.ts';
import { contextUseCase } from './routes.ts';
import { createFirstContextFields } from './service.ts';

export { constraintFaults } from './constraint-faults.ts';
export {
  type Constraint,
  completeConstraint,
  maxConstraintValues,
  maxSegmentValues,
  type SetConstraint,
} from './constraint-schema.ts';
export type { ContextField } from './contract.ts';
export { expressionFaults, manyExpressionsFaults } from './expressions.ts';
export { illegalValueFaults, type Legal, legalValueFaults } from './legal-values.ts';
export { listContextFields, lockContextField } from './queries.ts';
export { changeContextField, createContextField, removeContextField } from './service.ts';

import './tables.ts';

export const context = defineModule({
  name: 'context',
  useCases: [contextUseCase],
  firstStart: createFirstContextFields,
});
