import type { Fault } from '../../../platform/errors.ts';
import { checked } from '../../../platform/http/checked.ts';
import { faultsOfConstraint } from './constraint-faults.ts';
import { type ContextFieldChange, contract } from './contract.ts';

/** Values that stand in a list twice, each at its second place. */
function checkLegalValues({ body }: { body: ContextFieldChange }): Fault[] {
  const seen = new Set<string>();
  return (body.legalValues ?? []).flatMap(({ value }, index) => {
    const path = `/body/legalValues/${index}/value`;
    const twice = seen.has(value);
    seen.add(value);
    return twice ? [{ path, message: `${path} '${value}' is listed twice` }] : [];
  });
}

export const endpoints = checked(contract, {
  createContextField: checkLegalValues,
  updateContextField: checkLegalValues,
  validateConstraint: ({ body }) => faultsOfConstraint(body, '/body'),
});
