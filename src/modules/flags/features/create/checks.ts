import type { Fault } from '../../../../platform/errors.ts';
import { checked } from '../../../../platform/http/checked.ts';
import { manyExpressionsFaults } from '../../../catalogue/context-fields/index.ts';
import { wishFaults } from '../../strategies/index.ts';
import { variantFaults } from '../index.ts';
import { type Beginning, beginningsPath, contract } from './contract.ts';

/** One environment can begin in one way only. */
function namedTwice(beginnings: readonly Beginning[]): Fault[] {
  const names = new Set<string>();
  return beginnings.flatMap(({ name }, index) => {
    if (!names.has(name)) {
      names.add(name);
      return [];
    }
    const path = `${beginningsPath}/${index}/name`;
    return [{ path, message: `${path} '${name}' is used twice` }];
  });
}

const faultsOf = ({ strategies = [], variants = [] }: Beginning, path: string): Fault[] => [
  ...strategies.flatMap((wish, index) => wishFaults(wish, `${path}/strategies/${index}`)),
  ...variantFaults(variants, `${path}/variants`),
];

export const endpoints = checked(contract, {
  createFeature: ({ body: { environments = [] } }) => {
    const constraints = environments.flatMap(({ strategies = [] }) =>
      strategies.map((strategy) => strategy.constraints ?? []),
    );
    const tooMany = manyExpressionsFaults(constraints, beginningsPath);
    if (tooMany.length > 0) return tooMany;
    return [
      ...namedTwice(environments),
      ...environments.flatMap((beginning, index) =>
        faultsOf(beginning, `${beginningsPath}/${index}`),
      ),
    ];
  },
});
