import type { Fault } from '../../../platform/contract/fault.ts';
import type { StrategyParameter } from './contract.ts';
import { isPercentage } from './strategy-schema.ts';

const pointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const rules: Readonly<
  Record<StrategyParameter['type'], { holds: (text: string) => boolean; words: string }>
> = {
  string: { holds: () => true, words: 'text' },
  list: { holds: () => true, words: 'a list' },
  percentage: { holds: isPercentage, words: 'a whole number from 0 to 100' },
  number: { holds: (text) => decimal.test(text), words: 'a number' },
  boolean: { holds: (text) => text === 'true' || text === 'false', words: 'true or false' },
};

/**
 * Faults of a strategy's parameters, by its type. Unknown parameters are stored: SDKs ignore them. An empty optional
 * parameter counts as absent.
 */
export function parameterFaults(
  parameters: readonly StrategyParameter[],
  given: Readonly<Record<string, unknown>>,
  path: string,
): Fault[] {
  return parameters.flatMap(({ name, type, required }) => {
    const at = `${path}/${pointer(name)}`;
    // `hasOwn`, because a name such as 'constructor' would be found otherwise.
    const text = Object.hasOwn(given, name) ? String(given[name]) : undefined;
    // strategyFaults() has already checked every rollout, whatever its type.
    if (name === 'rollout' && text !== undefined) return [];
    if (text === undefined || text.trim() === '') {
      const fault = { path: at, message: `${at} is missing: this strategy type requires it` };
      return required ? [fault] : [];
    }
    const { holds, words } = rules[type];
    return holds(text)
      ? []
      : [{ path: at, message: `${at} must be ${words}; you sent '${text.slice(0, 80)}'` }];
  });
}

/** Faults of a strategy by its type. `parameters` are those of the type, if it exists. */
export function strategyTypeFaults(
  parameters: readonly StrategyParameter[] | undefined,
  input: { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> },
  path: string,
): Fault[] {
  return parameters
    ? parameterFaults(parameters, input.parameters, `${path}/parameters`)
    : [{ path: `${path}/name`, message: `Strategy type '${input.name}' not found` }];
}
