import type { Fault } from '../../../../platform/errors.ts';
import type { Checks } from '../../../../platform/http/checked.ts';
import { manyExpressionsFaults } from '../../../catalogue/context-fields/index.ts';
import { expiresAtFaults } from '../owner/service.ts';
import { inputFaults } from '../strategies/input.ts';
import { variantFaults } from '../variants/variant.ts';
import { type contract, type EnvironmentInput, environmentsPath } from './contract.ts';

function repeatedNames(environments: readonly EnvironmentInput[]): Fault[] {
  const names = new Set<string>();
  return environments.flatMap(({ name }, index) => {
    if (!names.has(name)) {
      names.add(name);
      return [];
    }
    const path = `${environmentsPath}/${index}/name`;
    return [{ path, message: `${path} '${name}' is used twice` }];
  });
}

const faultsOf = ({ strategies = [], variants = [] }: EnvironmentInput, path: string): Fault[] => [
  ...strategies.flatMap((strategy, index) => inputFaults(strategy, `${path}/strategies/${index}`)),
  ...variantFaults(variants, `${path}/variants`),
];

export const checks = {
  createFeature: ({ body: { environments = [], expiresAt } }) => {
    const constraints = environments.flatMap(({ strategies = [] }) =>
      strategies.map((strategy) => strategy.constraints ?? []),
    );
    const tooMany = manyExpressionsFaults(constraints, environmentsPath);
    if (tooMany.length > 0) return tooMany;
    return [
      ...expiresAtFaults(expiresAt),
      ...repeatedNames(environments),
      ...environments.flatMap((environment, index) =>
        faultsOf(environment, `${environmentsPath}/${index}`),
      ),
    ];
  },
} satisfies Checks<typeof contract>;
