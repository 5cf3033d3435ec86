import type { Fault } from '../../../platform/errors.ts';
import type { Checks } from '../../../platform/http/checked.ts';
import type { contract, StrategyTypeChange } from './contract.ts';

function checkParameters({ body }: { body: StrategyTypeChange }): Fault[] {
  const names = new Set<string>();
  return (body.parameters ?? []).flatMap(({ name }, index) => {
    const at = `/body/parameters/${index}/name`;
    const fault = names.has(name) ? [{ path: at, message: `${at} '${name}' is used twice` }] : [];
    names.add(name);
    return fault;
  });
}

export const checks = {
  createStrategyType: checkParameters,
  updateStrategyType: checkParameters,
} satisfies Checks<typeof contract>;
