import type { Fault } from '../../../platform/errors.ts';
import type { Checks } from '../../../platform/http/checked.ts';
import { constraintFaults, maxSegmentValues } from '../context-fields/index.ts';
import type { CreateSegment, contract } from './contract.ts';

function checkConstraints({ body }: { body: Partial<CreateSegment> }): Fault[] {
  const path = '/body/constraints';
  const constraints = body.constraints ?? [];
  const values = constraints.reduce((sum, { values }) => sum + (values?.length ?? 0), 0);
  const tooMany = {
    path,
    message: `${path} must have at most ${maxSegmentValues} values in total; you sent ${values}`,
  };
  return values > maxSegmentValues ? [tooMany] : constraintFaults(constraints, path);
}

export const checks = {
  createSegment: checkConstraints,
  updateSegment: checkConstraints,
} satisfies Checks<typeof contract>;
