import type { Fault } from '../../../platform/errors.ts';
import { checked } from '../../../platform/http/checked.ts';
import { patchFaults } from '../../../platform/http/json-patch.ts';
import { constraintFaults } from '../../catalogue/context-fields/index.ts';
import { type SetStrategy, strategyFaults } from '../../catalogue/strategy-types/index.ts';
import { strategyContract } from './contract/strategies.ts';

/** What neither the schema nor the database says of a strategy. */
export const wishFaults = (
  wish: Partial<SetStrategy>,
  path = '/body',
  readExpression?: Parameters<typeof constraintFaults>[2],
): Fault[] => [
  ...strategyFaults(wish, path),
  ...constraintFaults(wish.constraints ?? [], `${path}/constraints`, readExpression),
];

const namedTwice = (places: readonly { readonly id: string }[]): Fault[] => {
  const named = new Set<string>();
  return places.flatMap(({ id }, index) => {
    const path = `/body/${index}/id`;
    if (!named.has(id)) {
      named.add(id);
      return [];
    }
    return [{ path, message: `${path} names a strategy that was placed before` }];
  });
};

export const strategyEndpoints = checked(strategyContract, {
  addFeatureStrategy: ({ body }) => wishFaults(body),
  setStrategySortOrder: ({ body }) => namedTwice(body),
  updateFeatureStrategy: ({ body }) => wishFaults(body as Partial<SetStrategy>),
  patchFeatureStrategy: ({ body }) => patchFaults(body),
});
