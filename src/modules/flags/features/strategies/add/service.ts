import type { Tx } from '../../../../../platform/db/database.ts';
import { badData, invalidOperation } from '../../../../../platform/errors.ts';
import type { SetStrategy, StrategyShape } from '../../../../catalogue/strategy-types/index.ts';
import type { EnvironmentAddress } from '../../address-schema.ts';
import { addParts } from '../../assemble/service.ts';
import {
  type FeatureInEnvironment,
  getFeatureInEnvironment,
} from '../../environments/feature-in-environment.ts';
import type { Strategy } from '../../feature-schema.ts';
import { storedInputFaults, strategyFromInput } from '../input.ts';
import { maxStrategies } from './contract.ts';

export async function addStrategy(
  tx: Tx,
  address: EnvironmentAddress,
  input: SetStrategy,
): Promise<Strategy> {
  const owner = await getFeatureInEnvironment(tx, address);
  const { feature, environment } = owner;
  await refuseFaults(tx, input, feature.project);
  refuseTooMany(owner);
  const strategy = {
    ...strategyFromInput(input, owner),
    sortOrder: input.sortOrder ?? owner.state.nextSortOrder,
  };
  const [added] = await addParts(tx, [{ feature, eventOrder: [[{ environment, strategy }]] }]);
  return added as Strategy;
}

/** Removed strategies come back as they were stored. Those with the same sort order stay in this order. */
export async function returnStrategies(
  tx: Tx,
  address: EnvironmentAddress,
  strategies: readonly (StrategyShape & { readonly id: string })[],
): Promise<void> {
  const owner = await getFeatureInEnvironment(tx, address);
  const { feature, environment, state } = owner;
  for (const [index, { id, ...strategy }] of strategies.entries()) {
    await refuseFaults(tx, strategy as SetStrategy, feature.project);
    refuseTooMany({ ...owner, state: { strategies: state.strategies + index } });
  }
  const parts = strategies.map(({ id, ...strategy }) => ({ environment, strategy, id }));
  await addParts(tx, [{ feature, eventOrder: [parts] }]);
}

async function refuseFaults(tx: Tx, input: SetStrategy, project: string): Promise<void> {
  const faults = await storedInputFaults(tx, input, project, '/body');
  if (faults.length > 0) throw badData(faults);
}

/** For one strategy more. */
export function refuseTooMany({
  feature,
  environment,
  state,
}: {
  readonly feature: Pick<FeatureInEnvironment['feature'], 'name'>;
  readonly environment: string;
  readonly state: Pick<FeatureInEnvironment['state'], 'strategies'>;
}): void {
  if (state.strategies < maxStrategies) return;
  throw invalidOperation(
    `The feature '${feature.name}' has ${state.strategies} strategies in the environment '${environment}': at most ${maxStrategies} are allowed`,
  );
}
