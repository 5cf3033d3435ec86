import type { Fault } from '../../../platform/errors.ts';
import type { Checks } from '../../../platform/http/checked.ts';
import { faultsOfConstraint } from './constraint-faults.ts';
import type { ContextFieldChange, contract } from './contract.ts';

/** Reports values that appear twice in a list, at their second position. */
function checkLegalValues({ body }: { body: ContextFieldChange }): Fault[] {
  const seen = new Set<string>();
  return (body.legalValues ?? []).flatMap(({ value }, index) => {
    const path = `/body/legalValues/${index}/value`;
    const twice = seen.has(value);
    seen.add(value);
    return twice ? [{ path, message: `${path} '${value}' is listed twice` }] : [];
  });
}

export const checks = {
  createContextField: checkLegalValues,
  updateContextField: checkLegalValues,
  validateConstraint: ({ body }) => faultsOfConstraint(body, '/body'),
} satisfies Checks<typeof contract>;
