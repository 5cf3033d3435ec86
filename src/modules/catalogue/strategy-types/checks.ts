import type { Fault } from '../../../platform/errors.ts';
import { checked } from '../../../platform/http/checked.ts';
import { contract, type StrategyTypeChange } from './contract.ts';

function checkParameters({ body }: { body: StrategyTypeChange }): Fault[] {
  const names = new Set<string>();
  return (body.parameters ?? []).flatMap(({ name }, index) => {
    const at = `/body/parameters/${index}/name`;
    const fault = names.has(name) ? [{ path: at, message: `${at} '${name}' is used twice` }] : [];
    names.add(name);
    return fault;
  });
}

export const endpoints = checked(contract, {
  createStrategyType: checkParameters,
  updateStrategyType: checkParameters,
});
