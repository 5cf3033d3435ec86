import type { Fault } from '../../../platform/errors.ts';
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
 * What is wrong with the parameters of a strategy, for its type. Those that the type does not know
 * are kept: SDKs ignore them. What an optional one leaves empty is not given.
 */
export function parameterFaults(
  parameters: readonly StrategyParameter[],
  given: Readonly<Record<string, unknown>>,
  path: string,
): Fault[] {
  return parameters.flatMap(({ name, type, required }) => {
    const at = `${path}/${pointer(name)}`;
    // A name such as 'constructor' is no parameter that somebody gave.
    const text = Object.hasOwn(given, name) ? String(given[name]) : undefined;
    // The rule of every rollout, whatever its type: strategyFaults() has told already.
    if (name === 'rollout' && text !== undefined) return [];
    if (text === undefined || text.trim() === '') {
      const fault = { path: at, message: `${at} is missing: strategies of this type need it` };
      return required ? [fault] : [];
    }
    const { holds, words } = rules[type];
    return holds(text)
      ? []
      : [{ path: at, message: `${at} must be ${words}; you sent '${text.slice(0, 80)}'` }];
  });
}

/** What keeps a strategy from being one of the type that it names, of which these are the parameters, if there is one. */
export function strategyTypeFaults(
  parameters: readonly StrategyParameter[] | undefined,
  wish: { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> },
  path: string,
): Fault[] {
  return parameters
    ? parameterFaults(parameters, wish.parameters, `${path}/parameters`)
    : [{ path: `${path}/name`, message: `There is no strategy type '${wish.name}'` }];
}
